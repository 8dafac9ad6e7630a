package dev.berth.node.runtime.host;

import dev.berth.linux.cgroup.DeviceGroups;
import dev.berth.linux.cgroup.DeviceRule;
import dev.berth.linux.cgroup.DeviceRule.Kind;
import dev.berth.linux.cgroup.DeviceRule.Use;
import dev.berth.linux.file.FileStatus;
import dev.berth.node.layout.Layout;
import dev.berth.node.runtime.ContainerDevice;
import dev.berth.node.runtime.ContainerSpec;
import dev.berth.node.runtime.ContainerSpec.Rights;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Which devices a container may use, whatever files of devices it comes by: those in its `/dev`,
/// and those of its spec. Kept by a control group, where the machine has one for that.
public final class DevicePolicy {
  private static final Logger log = LoggerFactory.getLogger(DevicePolicy.class);
  private static final Duration PAUSE = Duration.ofMillis(5);
  private static final int ATTEMPTS = 200;
  private static final Set<Use> BOTH = Set.of(Use.READ, Use.WRITE);

  /// null, zero, full, random, urandom; tty, ptmx; pts.
  private static final List<DeviceRule> USUAL =
      List.of(
          character(1, 3),
          character(1, 5),
          character(1, 7),
          character(1, 8),
          character(1, 9),
          character(5, 0),
          character(5, 2),
          new DeviceRule(Kind.CHARACTER, 136, OptionalInt.empty(), BOTH));

  private final Optional<DeviceGroups> groups = DeviceGroups.ofThisMachine("berth");

  /// A control group for one container.
  ///
  /// @param bornInto whether a process can be made in it, which takes 10 ms less than to move there
  record Group(Path folder, boolean bornInto) {}

  DevicePolicy() {
    if (groups.isEmpty())
      log.warn(
          "this machine has no control groups for devices, or they are not ours to make: what keeps"
              + " containers from devices is that their mounts are nodev");
  }

  private static DeviceRule character(int major, int minor) {
    return new DeviceRule(Kind.CHARACTER, major, OptionalInt.of(minor), BOTH);
  }

  /// Makes the group of a container.
  ///
  /// @return the group that the container has to be in
  Optional<Group> make(ContainerSpec spec, ContainerFolder folder) {
    if (groups.isEmpty() || spec.rights() == Rights.PRIVILEGED) return Optional.empty();
    var rules = new ArrayList<>(USUAL);
    spec.devices().forEach(device -> rules.add(rule(device)));
    return Optional.of(
        new Group(groups.get().create(name(folder), rules), groups.get().version() == 2));
  }

  /// The group that was made for a container.
  Optional<Group> of(ContainerSpec spec, ContainerFolder folder) {
    if (groups.isEmpty() || spec.rights() == Rights.PRIVILEGED) return Optional.empty();
    return Optional.of(
        new Group(groups.get().folder().resolve(name(folder)), groups.get().version() == 2));
  }

  /// Removes it, when all processes of the container have ended or are about to.
  void remove(ContainerFolder folder) {
    if (groups.isEmpty()) return;
    for (int attempt = 1; ; attempt++) {
      try {
        groups.get().remove(name(folder));
        return;
      } catch (UncheckedIOException busy) {
        if (attempt == ATTEMPTS) {
          log.warn("the control group of container {} stays: {}", folder.id(), busy.toString());
          return;
        }
        LockSupport.parkNanos(PAUSE.toNanos());
      }
    }
  }

  private static DeviceRule rule(ContainerDevice device) {
    try {
      var status = FileStatus.of(device.source().toRealPath());
      return new DeviceRule(
          status.isBlockDevice() ? Kind.BLOCK : Kind.CHARACTER,
          status.special().major(),
          OptionalInt.of(status.special().minor()),
          device.access() == ContainerDevice.Access.READ_ONLY ? Set.of(Use.READ) : BOTH);
    } catch (IOException broken) {
      throw new UncheckedIOException("add device " + device.source(), broken);
    }
  }

  /// Several nodes may be on one machine.
  private static String name(ContainerFolder folder) {
    return Layout.sha256(folder.directory().toString()).substring(0, 32);
  }
}
