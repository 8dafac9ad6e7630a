package dev.berth.cli.session;

import dev.berth.cli.Problem;
import dev.berth.cli.home.Home;
import dev.berth.kube.model.VolumeName;
import dev.berth.linux.mount.Mounts;
import dev.berth.node.layout.Layout;
import dev.berth.node.volume.VolumeFiles.Trace;
import dev.berth.node.volume.disk.KubeletFiles;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/// What is still mounted where no stack is up any more: volumes whose drivers could not be asked,
/// for only a driver may take its volumes down.
public final class Leftovers {
  private Leftovers() {}

  /// @throws Problem if anything is: which volumes of which drivers, where, and how to go on
  public static void check(Home home) throws IOException {
    var mounts = home.mounts();
    if (mounts.isEmpty()) return;
    var drivers = new TreeSet<String>();
    var lines = new ArrayList<String>();
    for (int number = 1; number <= home.nodesBefore(); number++) {
      var node = "node-" + number;
      var files = new KubeletFiles(new Layout(home.kubelet(node)), node, Mounts.ofThisMachine());
      for (var trace : files.traces())
        for (var mount : mounts) {
          var volume = of(trace, files, mount);
          if (volume.isEmpty()) continue;
          drivers.add(volume.get().driver());
          lines.add("  %s: %s".formatted(volume.get(), mount));
        }
    }
    if (lines.isEmpty()) mounts.forEach(mount -> lines.add("  " + mount));
    throw new Problem(
        "the stack is down, but this is still mounted:\n"
            + String.join("\n", lines)
            + "\n"
            + advice(home, drivers));
  }

  /// Whose the mount is, if it is what the note is about.
  private static Optional<VolumeName> of(Trace trace, KubeletFiles files, Path mount) {
    return switch (trace) {
      case Trace.Staged(var name, _, _) when files.stagingTarget(name).equals(mount) ->
          Optional.of(name);
      case Trace.Published(var name, var uid, var spec, _)
          when files.publishTarget(uid, spec).equals(mount) ->
          Optional.of(name);
      case Trace _ -> Optional.empty();
    };
  }

  private static String advice(Home home, Set<String> drivers) {
    var down = "berth down" + Session.also(home);
    return drivers.isEmpty()
        ? "end what uses it, then: " + down
        : "start %s again, then: %s; if it is gone for good, umount these by hand, the pods' first, then: %s"
            .formatted(String.join(" and ", drivers), down, down);
  }
}
