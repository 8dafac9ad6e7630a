package dev.berth.sidecar.provisioner.topology;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/// Where a volume has to be reachable from: any of these, those from `first` on preferred, the
/// others after them.
///
/// @param requisite in order, each once, not empty
/// @param first index of the most preferred one
public record Segments(List<Segment> requisite, int first) {
  /// More are not sent: they have to fit into the claim's intent, and no driver chooses better
  /// among more.
  static final int MOST = 1_000;

  public Segments {
    requisite = List.copyOf(requisite);
    if (first < 0 || first >= requisite.size())
      throw new IllegalArgumentException(
          "segment %d of %d cannot be preferred".formatted(first, requisite.size()));
  }

  /// In order and without doubles, the first one preferred.
  public static List<Segment> ordered(Stream<Segment> segments) {
    return segments.sorted().distinct().toList();
  }

  /// These segments, or as many of them from `first` on as may be sent.
  public static Segments nearest(List<Segment> ordered, int first) {
    if (ordered.size() <= MOST) return new Segments(ordered, first);
    var nearest = new Segments(ordered, first).preferred().subList(0, MOST);
    var requisite = ordered(nearest.stream());
    return new Segments(requisite, requisite.indexOf(nearest.getFirst()));
  }

  /// The requisite ones, rotated (PROV-83).
  public List<Segment> preferred() {
    var rotated = new ArrayList<>(requisite.subList(first, requisite.size()));
    rotated.addAll(requisite.subList(0, first));
    return rotated;
  }
}
