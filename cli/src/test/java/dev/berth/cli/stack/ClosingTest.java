package dev.berth.cli.stack;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ClosingTest {
  private final List<String> ended = new ArrayList<>();
  private final Closing closing = new Closing();

  private AutoCloseable part(String name) {
    return () -> ended.add(name);
  }

  @Test
  void whatWasStartedLastEndsFirstAndOnce() {
    closing.add(part("server"));
    closing.add(part("controllers"));
    closing.add(part("node"));
    closing.close();
    closing.close();
    assertThat(ended).containsExactly("node", "controllers", "server");
  }

  @Test
  void anEndThatFailsKeepsNoOtherFromEnding() {
    closing.add(part("server"));
    closing.add(() -> {
      ended.add("broken");
      throw new IllegalStateException("does not end");
    });
    closing.add(part("node"));
    closing.close();
    assertThat(ended).containsExactly("node", "broken", "server");
  }
}
