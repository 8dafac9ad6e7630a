package dev.berth.kube.loop;

import java.util.Optional;

/// As whom a decider is known.
///
/// @param component its name for people, such as `scheduler`
/// @param eventSource what its events name as their source; empty: it tells none
/// @param lease name of the Lease that tells whether somebody runs it (XPL-08); empty: none does
/// @param failures where it tells of what it could not do
public record Role(String component, String eventSource, Optional<String> lease, Telling failures) {
  public static Role of(String component, String eventSource, String lease) {
    return new Role(component, eventSource, Optional.of(lease), new Telling.Nowhere());
  }

  public Role telling(Telling where) {
    return new Role(component, eventSource, lease, where);
  }
}
