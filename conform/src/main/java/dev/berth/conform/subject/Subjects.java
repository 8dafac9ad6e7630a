package dev.berth.conform.subject;

import dev.berth.conform.check.Check;
import java.util.List;
import java.util.stream.Stream;

/// All the checks there are, in the order in which they are made.
public final class Subjects {
  public static List<Check> all() {
    return Stream.of(
            Identity.checks(),
            Capabilities.checks(),
            NodeInfos.checks(),
            Volumes.checks(),
            Validation.checks(),
            Topologies.checks(),
            Capacities.checks(),
            VolumeLists.checks(),
            Publishing.checks(),
            Staging.checks(),
            NodePublishing.checks(),
            Stats.checks(),
            Healths.checks(),
            Snapshots.checks(),
            SnapshotLists.checks(),
            Sources.checks(),
            Groups.checks(),
            Metadata.checks(),
            MetadataErrors.checks(),
            Expansion.checks(),
            NodeExpansion.checks(),
            Modification.checks(),
            Errors.checks(),
            Limits.checks(),
            Concurrency.checks(),
            Interruption.checks(),
            Secrets.checks())
        .flatMap(List::stream)
        .toList();
  }

  private Subjects() {}
}
