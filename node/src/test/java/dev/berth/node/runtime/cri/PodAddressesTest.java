package dev.berth.node.runtime.cri;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class PodAddressesTest {
  private static final InetAddress OLD = InetAddress.ofLiteral("192.0.2.1");
  private static final InetAddress NEW = InetAddress.ofLiteral("192.0.2.2");

  private final PodAddresses addresses = new PodAddresses();

  @Test
  void theEngineIsAskedOnce() throws Exception {
    var asked = new AtomicInteger();
    for (int i = 0; i < 2; i++)
      assertThat(
              addresses.of(
                  "uid-1",
                  () -> {
                    asked.incrementAndGet();
                    return OLD;
                  }))
          .isEqualTo(OLD);
    assertThat(asked).hasValue(1);
    addresses.forget("uid-1");
    assertThat(addresses.of("uid-1", () -> NEW)).isEqualTo(NEW);
  }

  /// The pod has got another sandbox, or has gone, and its address is another pod's by now.
  @Test
  void anAnswerThatComesTooLateIsNotKept() throws Exception {
    addresses.of(
        "uid-1",
        () -> {
          addresses.forget("uid-1");
          return OLD;
        });
    assertThat(addresses.of("uid-1", () -> NEW)).isEqualTo(NEW);
  }

  @Test
  void aQuestionWithoutAnAnswerIsAskedAgain() throws Exception {
    assertThatThrownBy(() ->
            addresses.of(
                "uid-1",
                () -> {
                  throw new IOException("no sandbox");
                }))
        .hasMessage("no sandbox");
    assertThat(addresses.of("uid-1", () -> NEW)).isEqualTo(NEW);
    assertThat(addresses.of("uid-1", () -> OLD)).isEqualTo(NEW);
  }
}
