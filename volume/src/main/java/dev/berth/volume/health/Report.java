package dev.berth.volume.health;

import dev.berth.csi.v1.VolumeCondition;
import dev.berth.csi.v1.VolumeHealth.VolumeHealthEntry;
import dev.berth.kube.model.VolumeHealth;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/// What a driver said of one volume, in Kubernetes' words.
///
/// @param adverse what is wrong with it, in order, no status and reason twice
/// @param unknown what it said beside that and we do not understand (VH-14)
public record Report(List<VolumeHealth> adverse, List<String> unknown) {
  public static final Report WELL = new Report(List.of(), List.of());

  /// Of a driver that only speaks of conditions.
  public static final String CONDITION_REASON = "VolumeConditionAbnormal";

  /// What Kubernetes takes: so many entries, and so many bytes of a reason and of a message.
  private static final int MOST = 16;

  private static final int LONGEST_REASON = 256;
  private static final int LONGEST_MESSAGE = 1024;

  public Report {
    adverse = List.copyOf(adverse);
    unknown = List.copyOf(unknown);
  }

  public static Report of(VolumeCondition condition) {
    if (!condition.getAbnormal()) return WELL;
    return new Report(
        List.of(new VolumeHealth(VolumeHealth.DEGRADED, CONDITION_REASON, condition.getMessage())),
        List.of());
  }

  /// VH-06, VH-08; of entries with one status and reason, which a driver must not send, the last.
  public static Report of(dev.berth.csi.v1.VolumeHealth health) {
    var adverse = new TreeMap<String, VolumeHealth>();
    var unknown = new TreeSet<String>();
    for (var entry : health.getHealthStatusesList()) {
      var status = status(entry);
      var reason = reason(entry.getReason());
      if (status.isEmpty()) unknown.add("%d/%s".formatted(entry.getStatusValue(), reason));
      else
        adverse.put(
            status.get() + "/" + reason,
            new VolumeHealth(status.get(), reason, message(entry.getMessage())));
    }
    return new Report(adverse.values().stream().limit(MOST).toList(), List.copyOf(unknown));
  }

  private static Optional<String> status(VolumeHealthEntry entry) {
    return switch (entry.getStatus()) {
      case DEGRADED -> Optional.of(VolumeHealth.DEGRADED);
      case INACCESSIBLE -> Optional.of(VolumeHealth.INACCESSIBLE);
      case DATA_LOSS -> Optional.of(VolumeHealth.DATA_LOSS);
      case UNKNOWN_VOLUME_HEALTH_TYPE, UNRECOGNIZED -> Optional.empty();
    };
  }

  /// As Kubernetes takes it.
  static String reason(String said) {
    return cut(said.isEmpty() ? "Unspecified" : said, LONGEST_REASON);
  }

  static String message(String said) {
    return cut(said, LONGEST_MESSAGE);
  }

  /// No character is cut in two.
  private static String cut(String text, int bytes) {
    int end = text.length();
    while (text.substring(0, end).getBytes(StandardCharsets.UTF_8).length > bytes)
      end = text.offsetByCodePoints(end, -1);
    return text.substring(0, end);
  }

  /// For people; of a condition its own words.
  public String words() {
    if (adverse.size() == 1 && adverse.getFirst().reason().equals(CONDITION_REASON))
      return adverse.getFirst().message();
    return adverse.stream()
        .map(it ->
            it.message().isEmpty()
                ? "%s: %s".formatted(it.status(), it.reason())
                : "%s: %s: %s".formatted(it.status(), it.reason(), it.message()))
        .collect(Collectors.joining("; "));
  }

  public boolean well() {
    return adverse.isEmpty();
  }
}
