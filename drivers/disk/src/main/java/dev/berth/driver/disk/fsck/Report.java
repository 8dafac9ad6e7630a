package dev.berth.driver.disk.fsck;

import dev.berth.driver.disk.fsck.Finding.Weight;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/// What a check has found.
///
/// @param pool its true path
/// @param volumes how many there are; the following numbers too
/// @param devices loop devices of this pool
/// @param mounts of these devices, on this machine
public record Report(
    Path pool,
    String poolId,
    int volumes,
    int snapshots,
    int groups,
    int attachments,
    int nodes,
    int devices,
    int mounts,
    List<Finding> findings) {
  public Report {
    findings = List.copyOf(findings);
  }

  /// Whether nobody has to act.
  public boolean clean() {
    return findings.stream().noneMatch(it -> it.weight() == Weight.WRONG);
  }

  public long count(Weight weight) {
    return findings.stream().filter(it -> it.weight() == weight).count();
  }

  /// For a person: what there is, each finding with its mend, a verdict.
  public List<String> lines() {
    var lines = new ArrayList<String>();
    lines.add(
        "pool %s: %d volumes, %d snapshots, %d groups, %d attachments, %d nodes, %d devices, %d mounts"
            .formatted(pool, volumes, snapshots, groups, attachments, nodes, devices, mounts));
    for (var finding : findings) {
      lines.add(
          "%s: %s %s"
              .formatted(
                  finding.weight().name().toLowerCase(Locale.ROOT).replace('_', ' '),
                  finding.where(),
                  finding.what()));
      lines.add("    " + finding.mend());
    }
    lines.add(
        findings.isEmpty()
            ? "clean"
            : "%d wrong, %d left over".formatted(count(Weight.WRONG), count(Weight.LEFT_OVER)));
    return lines;
  }
}
