package dev.berth.cli.command;

/// A command that reads its words itself, as programs of Go do: every word is left to it.
interface OwnFlags {}
