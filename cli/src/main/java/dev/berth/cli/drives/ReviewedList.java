package dev.berth.cli.drives;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.fasterxml.jackson.dataformat.yaml.YAMLGenerator;
import dev.berth.cli.Problem;
import dev.berth.driver.baremetal.object.Drive;
import dev.berth.driver.baremetal.object.DriveCondition;
import dev.berth.driver.baremetal.object.DriveUsage;
import dev.berth.driver.baremetal.object.Presence;
import dev.berth.kube.value.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/// Drives that no volume gets before a person says so, in a file for a person to read (BM-211):
/// `berth drives discover` writes it, `berth drives init` takes what the person has marked, unless
/// it has changed since.
///
/// @param lines one a drive
public record ReviewedList(List<Line> lines) {
  private static final ObjectMapper YAML =
      new ObjectMapper(new YAMLFactory().disable(YAMLGenerator.Feature.WRITE_DOC_START_MARKER));
  private static final int WRONG = 2;

  private static final String HEAD =
      """
      # Drives that no volume gets before you say so. Read what each holds; where all of that may go for good, and volumes
      # may have the drive, write `initialize: true`. Then: %s
      """;

  public ReviewedList {
    lines = List.copyOf(lines);
  }

  /// @param object name of the drive's object
  /// @param review what [Drive#review] said
  /// @param initialize whether a person gives it to volumes, and wants all that is on it to go
  public record Line(String object, String drive, String review, boolean initialize) {}

  /// Whether a drive is one that could be taken: nobody has it, and something is on it or nobody
  /// has said that volumes may have it.
  public static boolean isOne(Drive drive) {
    var state = drive.observed();
    return drive.looked()
        && !(state.clean() && drive.admitted())
        && !drive.sharing().any()
        && !state.system()
        && drive.claimant().isEmpty()
        && drive.pendingWipe().isEmpty()
        && state.presence() == Presence.ONLINE
        && state.usage() == DriveUsage.IN_USE;
  }

  /// The file of all such drives.
  ///
  /// @param taking the command that takes it
  /// @param wanted which of them
  public static String text(Rack rack, String taking, Predicate<Drive> wanted) {
    var tree = YAML.createObjectNode();
    var drives = tree.putArray("drives");
    for (var drive : rack.drives())
      if (isOne(drive) && wanted.test(drive))
        drives
            .addObject()
            .put("drive", drive.shortName())
            .put("node", rack.node(drive))
            .put("type", drive.type().name())
            .put("size", Sheet.size(drive))
            .put("path", drive.observed().path())
            .put("holds", Sheet.what(drive).map(DriveCondition::message).orElse(""))
            .put("object", drive.uuid())
            .put("review", drive.review())
            .put("initialize", false);
    try {
      return HEAD.formatted(taking) + YAML.writeValueAsString(tree);
    } catch (IOException impossible) {
      throw new IllegalStateException("a tree can always be written", impossible);
    }
  }

  /// @throws Problem if it is no such file
  public static ReviewedList read(Path file) {
    JsonNode tree;
    try {
      tree = YAML.readTree(Files.readString(file));
    } catch (IOException unreadable) {
      throw new Problem("%s cannot be read: %s".formatted(file, unreadable.getMessage()), WRONG);
    }
    if (tree == null || !tree.path("drives").isArray())
      throw new Problem(
          "%s is no list of drives; berth drives discover writes one".formatted(file), WRONG);
    var lines = new ArrayList<Line>();
    for (var each : tree.path("drives")) {
      var line =
          new Line(
              Json.text(each, "object"),
              Json.text(each, "drive"),
              Json.text(each, "review"),
              each.path("initialize").asBoolean());
      if (line.object.isEmpty() || line.review.isEmpty() || !each.path("initialize").isBoolean())
        throw new Problem(
            "%s: a drive needs object, review, and initialize (true or false), as berth drives discover writes them: %s"
                .formatted(file, each),
            WRONG);
      lines.add(line);
    }
    return new ReviewedList(lines);
  }

  /// Those that are to be taken, as they are now.
  ///
  /// @throws Problem if any of them is not as it was when it was written down: then nothing is done
  public List<Drive> chosen(Rack rack) {
    var chosen = new ArrayList<Drive>();
    var changed = new ArrayList<String>();
    for (var line : lines) {
      if (!line.initialize) continue;
      var drive = rack.drives().stream().filter(it -> it.uuid().equals(line.object)).findFirst();
      if (drive.filter(it -> isOne(it) && it.review().equals(line.review)).isPresent())
        chosen.add(drive.get());
      else changed.add(line.drive);
    }
    if (!changed.isEmpty())
      throw new Problem(
          "%s changed since the list was written, and nothing is done; write and read it again: berth drives discover"
              .formatted(String.join(", ", changed)));
    return chosen;
  }
}
