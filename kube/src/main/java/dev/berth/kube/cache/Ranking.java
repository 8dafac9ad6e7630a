package dev.berth.kube.cache;

import dev.berth.kube.cache.Summary.Rank;
import java.util.Comparator;
import java.util.Iterator;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.pcollections.TreePMap;

/// The rows of a summary by their ranks.
record Ranking<S>(TreePMap<Seat, S> seats) {
  /// @param value under which the row stands: two may have one rank
  private record Seat(int group, int place, String value) {
    static final Comparator<Seat> ORDER =
        Comparator.comparingInt(Seat::group)
            .thenComparingInt(Seat::place)
            .thenComparing(Seat::value);

    static Seat of(Rank rank, String value) {
      return new Seat(rank.group(), rank.place(), value);
    }

    /// Before all others of the group that have this place or a later one.
    static Seat before(int group, int place) {
      return new Seat(group, place, "");
    }
  }

  static <S> Ranking<S> none() {
    return new Ranking<>(TreePMap.empty(Seat.ORDER));
  }

  Ranking<S> with(String value, Optional<Rank> rank, S row) {
    return rank.map(it -> new Ranking<>(seats.plus(Seat.of(it, value), row))).orElse(this);
  }

  Ranking<S> without(String value, Optional<Rank> rank) {
    return rank.map(it -> new Ranking<>(seats.minus(Seat.of(it, value)))).orElse(this);
  }

  /// See [Snapshot#ranked].
  Iterable<S> from(int place) {
    return () -> new Rounds(place);
  }

  private final class Rounds implements Iterator<S> {
    private final int from;
    private boolean wrapped;
    private Map.@Nullable Entry<Seat, S> next;

    Rounds(int from) {
      this.from = from;
      next = seats.isEmpty() ? null : group(seats.firstKey().group());
    }

    @Override
    public boolean hasNext() {
      return next != null;
    }

    @Override
    public S next() {
      var current = next;
      if (current == null) throw new NoSuchElementException();
      next = after(current.getKey());
      return current.getValue();
    }

    /// The first of a group that has any.
    private Map.@Nullable Entry<Seat, S> group(int group) {
      wrapped = false;
      var later = seats.ceilingEntry(Seat.before(group, from));
      return later != null && later.getKey().group() == group ? later : wrap(group);
    }

    /// The first of the group once more, from its first place on.
    private Map.@Nullable Entry<Seat, S> wrap(int group) {
      wrapped = true;
      return seats.ceilingEntry(Seat.before(group, Integer.MIN_VALUE));
    }

    private Map.@Nullable Entry<Seat, S> after(Seat seat) {
      var following = seats.higherEntry(seat);
      boolean same = following != null && following.getKey().group() == seat.group();
      if (same && !(wrapped && following.getKey().place() >= from)) return following;
      if (!wrapped) {
        var first = wrap(seat.group());
        if (first != null && first.getKey().place() < from) return first;
      }
      return nextGroup(seat.group());
    }

    private Map.@Nullable Entry<Seat, S> nextGroup(int group) {
      if (group == Integer.MAX_VALUE) return null;
      var first = seats.ceilingEntry(Seat.before(group + 1, Integer.MIN_VALUE));
      return first == null ? null : group(first.getKey().group());
    }
  }
}
