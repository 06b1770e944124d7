"""Tools of the operator's MCP servers (Model Context Protocol) for the chat model."""
