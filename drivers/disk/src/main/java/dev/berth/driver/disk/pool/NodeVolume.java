package dev.berth.driver.disk.pool;

import dev.berth.driver.model.Usage;
import dev.berth.driver.spi.NodePublishing.Place;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/// What a node does, or began to do, with a volume. Whether it is done, the kernel knows.
///
/// @param staged empty: not staged
/// @param targets where it is published
public record NodeVolume(String volumeId, Optional<Staged> staged, List<Target> targets) {
  static final String KIND = "node volume 1";

  public record Staged(Path directory, Usage usage) {}

  public record Target(Path path, Usage usage, boolean readOnly) {
    public Place place() {
      return new Place(path, Optional.of(usage), readOnly);
    }
  }

  public NodeVolume {
    targets = List.copyOf(targets);
  }

  public static NodeVolume none(String volumeId) {
    return new NodeVolume(volumeId, Optional.empty(), List.of());
  }

  public boolean empty() {
    return staged.isEmpty() && targets.isEmpty();
  }

  public Optional<Target> target(Path path) {
    return targets.stream().filter(target -> target.path().equals(path)).findFirst();
  }

  public NodeVolume withStaged(Staged place) {
    return new NodeVolume(volumeId, Optional.of(place), targets);
  }

  public NodeVolume withoutStaged() {
    return new NodeVolume(volumeId, Optional.empty(), targets);
  }

  public NodeVolume withTarget(Target added) {
    var all = new ArrayList<>(withoutTarget(added.path()).targets);
    all.add(added);
    return new NodeVolume(volumeId, staged, all);
  }

  public NodeVolume withoutTarget(Path path) {
    return new NodeVolume(
        volumeId, staged, targets.stream().filter(target -> !target.path().equals(path)).toList());
  }

  Map<String, String> values() {
    var values = new TreeMap<String, String>();
    values.put("volume", volumeId);
    staged.ifPresent(place -> {
      values.put("staged.directory", place.directory().toString());
      values.put("staged.usage", UsageText.of(place.usage()));
    });
    for (var i = 0; i < targets.size(); i++) {
      var target = targets.get(i);
      values.put("target." + i + ".path", target.path().toString());
      values.put("target." + i + ".usage", UsageText.of(target.usage()));
      values.put("target." + i + ".readonly", Boolean.toString(target.readOnly()));
    }
    return values;
  }

  static NodeVolume of(Map<String, String> values) {
    var targets = new ArrayList<Target>();
    for (var i = 0; values.containsKey("target." + i + ".path"); i++)
      targets.add(
          new Target(
              Path.of(text(values, "target." + i + ".path")),
              UsageText.parse(text(values, "target." + i + ".usage")),
              Boolean.parseBoolean(text(values, "target." + i + ".readonly"))));
    var staged =
        values.containsKey("staged.directory")
            ? Optional.of(
                new Staged(
                    Path.of(text(values, "staged.directory")),
                    UsageText.parse(text(values, "staged.usage"))))
            : Optional.<Staged>empty();
    return new NodeVolume(text(values, "volume"), staged, targets);
  }

  private static String text(Map<String, String> values, String key) {
    return values.getOrDefault(key, "");
  }
}
