package dev.berth.linux.loop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.linux.file.DeviceNumber;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class AllLoopsTest {
  private static final Path HUNG = Path.of("/dev/loop-hung");
  private static final Duration DEADLINE = Duration.ofMillis(300);

  /// Each of these answers long before one is given up, all of them after that.
  private static final int MANY = 12;

  private static final int MILLIS_EACH = 120;

  private final List<Path> slow =
      IntStream.range(0, MANY).mapToObj(i -> Path.of("/dev/loop-slow" + i)).toList();

  private static Optional<LoopDevice> slowly(Path device) {
    try {
      TimeUnit.MILLISECONDS.sleep(MILLIS_EACH);
    } catch (InterruptedException stopped) {
      throw new IllegalStateException(stopped);
    }
    return Optional.of(new LoopDevice(device, new DeviceNumber(8, 1), 1, Set.of(), "image"));
  }

  @Test
  void besideOneThatHangsAllAreSeenThatAnswer() throws Exception {
    var devices = new ArrayList<>(slow);
    devices.addFirst(HUNG);
    var released = new CountDownLatch(1);
    try {
      var all =
          AllLoops.look(
              devices,
              device -> {
                if (!device.equals(HUNG)) return slowly(device);
                awaitRelease(released);
                return Optional.empty();
              },
              DEADLINE);
      assertThat(all.silent()).containsExactly(HUNG);
      assertThat(all.attached()).extracting(LoopDevice::device).isEqualTo(slow);
    } finally {
      released.countDown();
    }
  }

  @Test
  void manyThatAnswerAreWaitedFor() {
    var all = AllLoops.look(slow, AllLoopsTest::slowly, DEADLINE);
    assertThat(all.silent()).isEmpty();
    assertThat(all.attached()).extracting(LoopDevice::device).isEqualTo(slow);
  }

  @Test
  void whatFailsAfterTheTimeIsTold() {
    assertThatThrownBy(() ->
            AllLoops.look(
                slow,
                device -> {
                  if (device.equals(slow.getLast())) throw new IllegalStateException("odd");
                  return slowly(device);
                },
                DEADLINE))
        .hasMessage("odd");
  }

  private static void awaitRelease(CountDownLatch released) {
    try {
      assertThat(released.await(60, TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException stopped) {
      throw new IllegalStateException(stopped);
    }
  }
}
