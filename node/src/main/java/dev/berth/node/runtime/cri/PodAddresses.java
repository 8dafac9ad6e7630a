package dev.berth.node.runtime.cri;

import java.io.IOException;
import java.net.InetAddress;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/// Where pods are reached, by their uids, as long as nothing has changed since the engine was
/// asked.
final class PodAddresses {
  private final Map<String, Place> places = new ConcurrentHashMap<>();

  /// What one question to the engine came to. It is filed before it is asked: what is forgotten
  /// meanwhile is not remembered by an answer that comes late.
  private static final class Place {
    private volatile Optional<InetAddress> address = Optional.empty();
  }

  interface Question {
    InetAddress ask() throws IOException;
  }

  /// The pod's address; the engine is asked if it is not known.
  InetAddress of(String podUid, Question engine) throws IOException {
    var mine = new Place();
    var filed = places.putIfAbsent(podUid, mine);
    if (filed != null && filed.address.isPresent()) return filed.address.get();
    try {
      var address = engine.ask();
      mine.address = Optional.of(address);
      return address;
    } finally {
      if (mine.address.isEmpty()) places.remove(podUid, mine);
    }
  }

  /// The pod may be somewhere else from now on, or nowhere.
  void forget(String podUid) {
    places.remove(podUid);
  }
}
