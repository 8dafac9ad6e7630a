package dev.berth.linux.process;

import java.util.Arrays;
import java.util.Optional;

/// The signals that Berth sends.
public enum Signal {
  HUP(1),
  INT(2),
  QUIT(3),
  KILL(9),
  USR1(10),
  USR2(12),
  TERM(15),
  WINCH(28),
  /// `SIGRTMIN+3`, at which systemd ends a container.
  HALT(37);

  private final int number;

  Signal(int number) {
    this.number = number;
  }

  /// @param text such as `SIGINT`, `INT` or `2`
  public static Optional<Signal> parse(String text) {
    var name = text.startsWith("SIG") ? text.substring(3) : text;
    return Arrays.stream(values())
        .filter(it ->
            it.name().equals(name)
                || String.valueOf(it.number).equals(text)
                || (it == HALT && name.equals("RTMIN+3")))
        .findFirst();
  }

  int number() {
    return number;
  }
}
