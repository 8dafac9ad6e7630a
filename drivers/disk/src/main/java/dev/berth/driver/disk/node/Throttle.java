package dev.berth.driver.disk.node;

import dev.berth.driver.disk.pool.Limits;
import dev.berth.driver.disk.pool.Pool;
import dev.berth.driver.disk.pool.Throttling;
import dev.berth.driver.model.Refusal;
import dev.berth.linux.file.FileStatus;
import java.nio.file.Path;
import java.util.Optional;

/// Limits devices by the kernel's control groups: in those that are there. [LaterGroups] is for the
/// others.
public final class Throttle implements Throttling {
  private final Kernel kernel = Kernel.ofThisMachine();

  /// They stay where they are, as long as the machine runs.
  private volatile Optional<ControlGroups> found = Optional.empty();

  /// Why this machine can limit no volume; empty: it can.
  public static Optional<String> whyNot() {
    return ControlGroups.whyNone(Kernel.ofThisMachine().mounts().table());
  }

  /// @throws Refusal WRONG_STATE if this machine cannot keep the limits, with the reason
  void check(Limits limits) {
    if (!limits.equals(Limits.NONE)) whyNot().ifPresent(Throttle::refuse);
  }

  private static void refuse(String why) {
    throw Refusal.wrongState("this machine cannot limit a volume: %s".formatted(why));
  }

  @Override
  public void apply(Pool pool, String volumeId, Limits limits) {
    kernel.loopOf(pool.volumes().image(volumeId)).ifPresent(loop -> apply(loop.device(), limits));
  }

  private void apply(Path device, Limits limits) {
    check(limits);
    var number = FileStatus.of(device).special();
    groups().ifPresent(it -> it.setAll(number, limits));
  }

  private Optional<ControlGroups> groups() {
    if (found.filter(ControlGroups::isThere).isEmpty())
      found = ControlGroups.find(kernel.mounts().table());
    return found;
  }
}
