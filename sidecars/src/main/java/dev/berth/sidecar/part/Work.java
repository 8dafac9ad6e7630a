package dev.berth.sidecar.part;

import dev.berth.kube.api.Caller.Urgency;
import dev.berth.kube.loop.Concern;
import dev.berth.kube.loop.Pace;
import dev.berth.sidecar.connection.Means;

/// What one loop of a sidecar does, and how fast.
///
/// @param urgency whether somebody waits for it, or it may wait for others (ONE-16)
/// @param queue what upstream calls the queue of this work in its metrics (ONE-22)
public record Work(Concern<Means, ?, ?, ?> concern, Pace pace, Urgency urgency, String queue) {
  public Work(String queue, Concern<Means, ?, ?, ?> concern, Pace pace) {
    this(concern, pace, Urgency.INTERACTIVE, queue);
  }

  /// What is done again and again, and may wait for others each time.
  public static Work polling(String queue, Concern<Means, ?, ?, ?> concern, Pace pace) {
    return new Work(concern, pace, Urgency.POLLING, queue);
  }
}
