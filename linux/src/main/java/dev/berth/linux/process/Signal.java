package dev.berth.linux.process;

/// The signals that Berth sends.
public enum Signal {
  KILL(9),
  TERM(15);

  private final int number;

  Signal(int number) {
    this.number = number;
  }

  int number() {
    return number;
  }
}
