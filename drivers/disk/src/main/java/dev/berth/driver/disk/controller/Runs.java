package dev.berth.driver.disk.controller;

import dev.berth.linux.file.Extents.Run;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/// Sets of bytes as runs in order, without overlap.
final class Runs {
  /// What is in one or the other.
  static List<Run> union(List<Run> a, List<Run> b) {
    var merged = new ArrayList<Run>();
    Stream.concat(a.stream(), b.stream())
        .sorted(Comparator.comparingLong(Run::offset))
        .forEach(run -> {
          if (merged.isEmpty() || merged.getLast().end() < run.offset()) merged.add(run);
          else {
            var last = merged.removeLast();
            merged.add(new Run(last.offset(), Math.max(last.end(), run.end()) - last.offset()));
          }
        });
    return merged;
  }

  private Runs() {}
}
