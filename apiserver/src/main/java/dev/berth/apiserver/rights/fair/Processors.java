package dev.berth.apiserver.rights.fair;

/// The processors of a machine, as far as they are given to requests. What takes long and what is
/// done in a moment do not wait for each other.
///
/// @param lengthy for long answers and large bodies
/// @param brief for all else that users ask for
public record Processors(Seats lengthy, Seats brief) {
  private static final int ANY = Integer.MAX_VALUE;

  static final Processors NONE = new Processors(seats(0), seats(0));

  /// All that there are of a machine.
  ///
  /// @param processors how many it has
  public static Processors of(int processors) {
    int most = Math.max(1, processors - 1);
    return new Processors(seats(most), seats(most));
  }

  private static Seats seats(int most) {
    return new Seats(new Seats.Limits(most, most, ANY, ANY));
  }
}
