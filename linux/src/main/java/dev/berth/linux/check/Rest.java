package dev.berth.linux.check;

/// Lets a disk sleep that nobody uses: each check would wake it (BM-195). Only disks that turn are
/// spared, only after a while in which nothing but the checks has moved them, and never for long.
///
/// @param quiet checks in a row before which nobody else had used the disk
/// @param skipped checks that were left out since the last
record Rest(int quiet, int skipped) {
  static final Rest NONE = new Rest(0, 0);

  private static final int QUIET_ENOUGH = 10;
  private static final int MOST_SKIPPED = 9;

  /// A check with all that a journal does after it takes fewer reads and writes than this.
  static final long BY_A_CHECK = 64;

  /// What a check finds before it begins.
  ///
  /// @param turns whether it is a disk that turns
  /// @param asleep whether the kernel has put it to sleep
  /// @param since reads and writes since the last check
  record Situation(boolean turns, boolean asleep, long since) {}

  /// Whether the next check is left out.
  boolean leavesOut(Situation now) {
    if (!now.turns) return false;
    if (now.asleep) return true;
    return now.since < BY_A_CHECK && quiet >= QUIET_ENOUGH && skipped < MOST_SKIPPED;
  }

  Rest after(Situation now) {
    if (leavesOut(now)) return new Rest(quiet, skipped + 1);
    return new Rest(now.since < BY_A_CHECK ? quiet + 1 : 0, 0);
  }
}
