package dev.berth.driver.baremetal.manager.base;

import dev.berth.driver.baremetal.object.DriveIdentity;
import dev.berth.driver.baremetal.object.Health;
import dev.berth.kube.time.SystemTime;
import dev.berth.linux.sys.LinuxException;
import dev.berth.linux.tool.Tools;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Asks drives how they are, each seldom enough to cost nothing and without waking it.
final class SmartHealth {
  private static final Logger log = LoggerFactory.getLogger(SmartHealth.class);

  /// What changes in minutes need not be asked for in seconds.
  private static final Duration FRESH = Duration.ofMinutes(1);

  private final Tools tools;
  private final Duration patience;
  private final Map<DriveIdentity, Reading> last = new ConcurrentHashMap<>();

  private record Reading(Health health, long nanos, String trouble) {}

  /// @param patience how long one drive is waited for
  SmartHealth(Tools tools, Duration patience) {
    this.tools = tools;
    this.patience = patience;
  }

  /// As it is, or was a moment ago; UNKNOWN if nobody can say (BM-52, BM-54).
  Health of(SysfsDisk disk) {
    var before = last.get(disk.identity());
    if (before != null && SystemTime.nanos() - before.nanos < FRESH.toNanos()) return before.health;
    var now = read(disk, before);
    if (!now.trouble.isEmpty() && (before == null || !before.trouble.equals(now.trouble)))
      log.warn("the health of {} cannot be read: {}", disk.device(), now.trouble);
    last.put(disk.identity(), now);
    return now.health;
  }

  private Reading read(SysfsDisk disk, @Nullable Reading before) {
    long now = SystemTime.nanos();
    return switch (ask(disk)) {
      case SmartReading.Measured(var health, _) -> new Reading(health, now, "");
      case SmartReading.Asleep() ->
          new Reading(before == null ? Health.UNKNOWN : before.health, now, "");
      case SmartReading.Unread(var why) -> new Reading(Health.UNKNOWN, now, why);
    };
  }

  private SmartReading ask(SysfsDisk disk) {
    var device = disk.device().toString();
    try {
      if (disk.nvme() && tools.has("nvme"))
        return SmartReading.ofNvme(
            tools.run(List.of("nvme", "smart-log", "--output-format=json", device), patience));
      if (!tools.has("smartctl"))
        return new SmartReading.Unread(
            disk.nvme() ? "install nvme-cli or smartmontools" : "install smartmontools");
      return SmartReading.ofSmartctl(
          tools.run(
              List.of("smartctl", "--json", "--info", "--health", "--nocheck=standby", device),
              patience));
    } catch (LinuxException e) {
      return new SmartReading.Unread(e.failure().reason());
    }
  }
}
