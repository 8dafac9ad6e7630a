package dev.berth.kube.http;

import static dev.berth.kube.testing.Thing.KIND;
import static dev.berth.kube.testing.Thing.key;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.berth.kube.time.SystemTime;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.http.HttpHeaders;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// What time it is on a server whose clock is not ours.
@Timeout(60)
class ServerClockTest {
  private static final Instant ASKED = Instant.parse("2026-11-27T12:00:00.300Z");
  private static final Instant ANSWERED = ASKED.plusMillis(900);

  private static ServerClock heard(String date) {
    var clock = new ServerClock();
    clock.hear(HttpHeaders.of(Map.of("Date", List.of(date)), (_, _) -> true), ASKED, ANSWERED);
    return clock;
  }

  /// A date says a whole second; what may be right is taken for right.
  @ParameterizedTest
  @CsvSource({
    "11:59:59, -0.3",
    "12:00:00, 0",
    "12:00:01, 0",
    "12:00:02, 0.8",
    "12:10:00, 598.8",
    "11:59:58, -1.3"
  })
  void oursIsWrongOnlyIfItCertainlyIs(String time, double seconds) {
    var clock = heard("Fri, 27 Nov 2026 %s GMT".formatted(time));
    assertThat(Duration.between(ASKED, clock.at(ASKED)).toMillis())
        .isEqualTo(Math.round(seconds * 1000));
  }

  @Test
  void whoSaysNoDateIsBelievedToAgree() {
    assertThat(new ServerClock().at(ASKED)).isEqualTo(ASKED);
    assertThat(heard("yesterday").isKnown()).isFalse();
  }

  /// Also of an answer to somebody else over the same connection; nothing more is asked for it.
  @Test
  void theServersDateIsTheTime() throws Exception {
    var there = SystemTime.clock().minus(Duration.ofHours(3));
    try (var server = new ServerSocket(0, 10, InetAddress.getLoopbackAddress())) {
      Thread.ofVirtual().start(() -> answer(server, there));
      var url = "http://127.0.0.1:" + server.getLocalPort();
      try (var api = HttpApi.at(url, Optional.empty())) {
        assertThat(api.now()).isCloseTo(there, within(50, ChronoUnit.SECONDS));
        api.telling(_ -> {}).get(KIND.resource(), key("a"));
        assertThat(api.now()).isCloseTo(there, within(50, ChronoUnit.SECONDS));
      }
    }
  }

  /// The JDK's server says its own date.
  private static void answer(ServerSocket server, Instant date) {
    var text = DateTimeFormatter.RFC_1123_DATE_TIME.format(date.atZone(ZoneOffset.UTC));
    var answer =
        "HTTP/1.1 200 OK\r\nDate: %s\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}"
            .formatted(text)
            .getBytes(StandardCharsets.US_ASCII);
    try {
      while (true) {
        try (var client = server.accept()) {
          var head = new StringBuilder();
          while (!head.toString().endsWith("\r\n\r\n"))
            head.append((char) client.getInputStream().read());
          client.getOutputStream().write(answer);
        }
      }
    } catch (IOException closed) {
      // then nobody asks any more
    }
  }
}
