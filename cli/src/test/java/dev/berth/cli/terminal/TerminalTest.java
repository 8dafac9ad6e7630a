package dev.berth.cli.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.cli.terminal.Terminal.Tone;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What others have written does not steer the terminal of who reads it.
class TerminalTest {
  private final ByteArrayOutputStream sent = new ByteArrayOutputStream();

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void controlCharactersAreShownAndNotSent(boolean colour) {
    var terminal = terminal(colour);
    terminal.line("a\u001b[2K\rb\u001b]52;c;eA==\u0007\u009b1A\u007f\n\tc");
    assertThat(sent())
        .isEqualTo("a\\u001b[2K\\u000db\\u001b]52;c;eA==\\u0007\\u009b1A\\u007f\n\tc\n");
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void noLineIsReadBackwards(boolean colour) {
    terminal(colour).line("a\u202etxt.exe\u2066b\u200fc");
    assertThat(sent()).isEqualTo("a\\u202etxt.exe\\u2066b\\u200fc\n");
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aCellStaysInItsLine(boolean colour) {
    terminal(colour).table(List.of(List.of("a\nb\u001bc", "d"), List.of("e", "f")));
    assertThat(sent()).isEqualTo("a\\nb\\u001bc   d\ne             f\n");
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void tonesAreSentWhereThereIsColour(boolean colour) {
    var terminal = terminal(colour);
    terminal.line(terminal.in(Tone.BAD, "x"));
    assertThat(sent()).isEqualTo(colour ? "\u001b[31mx\u001b[0m\n" : "x\n");
  }

  private Terminal terminal(boolean colour) {
    return new Terminal(new PrintStream(sent, true, StandardCharsets.UTF_8), colour);
  }

  private String sent() {
    return sent.toString(StandardCharsets.UTF_8);
  }
}
