package dev.berth.cli;

import dev.berth.cli.command.Berth;

/// Where the process begins.
public final class Main {
  private Main() {}

  public static void main(String[] args) {
    int code = Berth.run(args);
    // Not every library's thread is a daemon; what has to be awaited has been.
    System.exit(code);
  }
}
