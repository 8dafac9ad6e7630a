package dev.berth.cli.option;

/// A command that reads its words itself, as programs of Go do: every word is left to it.
public interface OwnFlags {}
