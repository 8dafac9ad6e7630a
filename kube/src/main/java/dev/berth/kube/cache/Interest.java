package dev.berth.kube.cache;

import dev.berth.kube.cache.Dispatch.Share;
import dev.berth.kube.object.Kind;
import java.util.Collection;
import java.util.List;
import java.util.Set;

/// What a follower wants.
///
/// @param kinds which have to be filled before it is told anything
/// @param whole of which it is told each change
/// @param shares what else it is told of
public record Interest(Set<Kind<?>> kinds, Set<Kind<?>> whole, List<Share<?>> shares) {
  public Interest {
    kinds = Set.copyOf(kinds);
    whole = Set.copyOf(whole);
    shares = List.copyOf(shares);
  }

  /// Every change of some kinds.
  public static Interest in(Collection<? extends Kind<?>> kinds) {
    var all = Set.<Kind<?>>copyOf(kinds);
    return new Interest(all, all, List.of());
  }
}
