package dev.berth.driver.disk.fsck;

import dev.berth.driver.disk.pool.PoolRecords;
import dev.berth.linux.sys.LinuxException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/// Holds what a pool has against what its records say. It only reads, and drivers may go on.
public final class PoolCheck {
  /// The pool cannot be looked at; the message says why.
  public static final class CannotLookException extends Exception {
    private static final long serialVersionUID = 1L;

    CannotLookException(String message, Throwable cause) {
      super(message, cause);
    }

    CannotLookException(String message) {
      super(message);
    }
  }

  /// Between the looks: longer than what a driver does without a lock.
  private static final Duration PAUSE = Duration.ofMillis(400);

  /// Looks at a pool, and a second time if there is something to find.
  public static Report check(Path pool) throws CannotLookException, InterruptedException {
    try {
      if (!Files.exists(pool)) throw new CannotLookException(pool + " does not exist");
      if (!Files.isDirectory(pool))
        throw new CannotLookException(pool + " is no folder; give that of the pool");
      if (!PoolRecords.isPool(pool))
        throw new CannotLookException(
            "%s is no pool: it has neither `pool` nor `ledger`; give the folder that a driver has as"
                    .formatted(pool)
                + " its --pool");
      var folder = pool.toRealPath();
      var scene = Scene.of(folder);
      var findings = findings(scene);
      if (!findings.isEmpty()) {
        Thread.sleep(PAUSE);
        scene = Scene.of(folder);
        var still = new ArrayList<>(findings(scene));
        still.retainAll(findings);
        findings = still;
      }
      return report(scene, findings);
    } catch (AccessDeniedException e) {
      throw new CannotLookException(pool + " cannot be read; the check needs root", e);
    } catch (IOException | UncheckedIOException | LinuxException e) {
      throw new CannotLookException("%s cannot be read: %s".formatted(pool, e.getMessage()), e);
    }
  }

  private static List<Finding> findings(Scene scene) {
    return Stream.of(
            FolderRules.findings(scene),
            ImageRules.findings(scene),
            RecordRules.findings(scene),
            NodeRules.findings(scene),
            KernelRules.findings(scene))
        .flatMap(it -> it)
        .map(it -> scene.ledgerBroken() ? it.heldUp() : it)
        .distinct()
        .toList();
  }

  private static Report report(Scene scene, List<Finding> findings) {
    var records = scene.records();
    return new Report(
        scene.folder(),
        records.id().orElse(""),
        records.volumes().size(),
        records.snapshots().size(),
        records.groups().size(),
        records.attachments().size(),
        records.nodes().size(),
        scene.loops().values().stream().mapToInt(List::size).sum(),
        scene.mounts().values().stream().mapToInt(List::size).sum(),
        findings);
  }

  private PoolCheck() {}
}
