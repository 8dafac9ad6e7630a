package dev.berth.explain.answer;

import java.util.Set;

/// What somebody who reads may not read.
@FunctionalInterface
public interface Gaps {
  /// Everything may be read.
  Gaps NONE = Set::of;

  /// What has been looked for in vain since the last call.
  Set<Gap> take();
}
