package dev.berth.cli.drives;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.berth.driver.baremetal.object.Drive;
import dev.berth.driver.baremetal.object.DriveCondition;
import dev.berth.kube.value.Quantity;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// How drives are listed.
public record Sheet(Rack rack) {
  private static final List<String> LAMPS = List.of("off", "on", "none");

  /// @param wide also where it is, and what its object is called
  public List<List<String>> rows(boolean wide) {
    var rows = new ArrayList<List<String>>();
    var head =
        new ArrayList<>(
            List.of("DRIVE", "NODE", "TYPE", "SIZE", "HEALTH", "STATUS", "USAGE", "LAMP"));
    if (wide) head.addAll(List.of("PATH", "OBJECT"));
    head.addAll(List.of("VOLUME", "WHAT"));
    rows.add(head);
    for (var drive : rack.drives()) rows.add(row(drive, wide));
    return rows;
  }

  private List<String> row(Drive drive, boolean wide) {
    var state = drive.observed();
    var row =
        new ArrayList<>(
            List.of(
                drive.shortName(),
                rack.node(drive),
                drive.type().name(),
                size(drive),
                state.health().name(),
                state.presence().name(),
                state.usage().name(),
                lamp(drive)));
    if (wide) row.addAll(List.of(state.path(), drive.uuid()));
    row.add(drive.claimant().orElse("-"));
    row.add(what(drive).map(DriveCondition::message).orElse("nobody has looked at it yet"));
    return row;
  }

  static String size(Drive drive) {
    return Quantity.ofBytes(drive.size()).toString();
  }

  private static String lamp(Drive drive) {
    int state = drive.observed().ledState();
    return state >= 0 && state < LAMPS.size() ? LAMPS.get(state) : "none";
  }

  /// What it waits for while it is replaced, else whether a volume can have it.
  static Optional<DriveCondition> what(Drive drive) {
    return condition(drive, "Replacement")
        .filter(DriveCondition::holds)
        .or(() -> condition(drive, "Available"));
  }

  private static Optional<DriveCondition> condition(Drive drive, String type) {
    return drive.observed().conditions().stream().filter(it -> it.type().equals(type)).findFirst();
  }

  /// All of it for programs: field names are a promise.
  public ArrayNode json() {
    var all = JsonNodeFactory.instance.arrayNode();
    for (var drive : rack.drives()) {
      var state = drive.observed();
      var one =
          all.addObject()
              .put("drive", drive.shortName())
              .put("object", drive.uuid())
              .put("vid", drive.identity().vid())
              .put("pid", drive.identity().pid())
              .put("node", rack.node(drive))
              .put("nodeId", drive.nodeId())
              .put("type", drive.type().name())
              .put("bytes", drive.size())
              .put("health", state.health().name())
              .put("status", state.presence().name())
              .put("usage", state.usage().name())
              .put("lamp", lamp(drive))
              .put("path", state.path())
              .put("cordoned", drive.cordoned())
              .put("admitted", drive.admitted())
              .put("available", drive.available());
      drive.claimant().ifPresent(volume -> one.put("volume", volume));
      what(drive).ifPresent(it -> one.put("reason", it.reason()).put("message", it.message()));
    }
    return all;
  }
}
