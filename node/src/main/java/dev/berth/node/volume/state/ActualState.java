package dev.berth.node.volume.state;

import dev.berth.kube.model.VolumeName;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

/// Holds the present [Actual] and tells who listens of each change. Safe for any number of threads.
public final class ActualState {
  private final List<Listener> listeners = new CopyOnWriteArrayList<>();
  private volatile Actual present;

  /// @param found what a look at the disk has shown, before anything runs
  public ActualState(Actual found) {
    present = found;
  }

  /// Hears of changes, after they have happened; must not block.
  public interface Listener {
    void changed(Actual before, Actual after);
  }

  public Actual now() {
    return present;
  }

  public void listen(Listener listener) {
    listeners.add(listener);
  }

  /// Changes what is known of a volume that has an entry, or gives it one.
  public void change(VolumeName name, UnaryOperator<VolumeState> to) {
    update(actual -> Optional.of(actual.with(to.apply(actual.volume(name)))));
  }

  /// Nothing of the volume is mounted and nothing is about to be.
  public void forget(VolumeName name) {
    update(actual -> Optional.of(actual.without(name)));
  }

  /// Gives the volume an entry, which keeps it reported in use.
  ///
  /// @param attachable whether the report must have it already
  /// @return false: it must, and has not; look again
  public boolean pin(VolumeName name, boolean attachable) {
    return update(actual -> actual.pin(name, attachable)).isPresent();
  }

  /// Keeps the pod's volumes mounted: its containers may start.
  ///
  /// @return false: one of `needed` is not mounted for the pod for certain; look again
  public boolean hold(String podUid, Collection<VolumeName> needed) {
    return update(actual -> actual.hold(podUid, needed)).isPresent();
  }

  /// Nothing may start from now on, and what runs has to end by `killed`.
  public void drain(Instant killed) {
    update(actual -> Optional.of(actual.drain(killed)));
  }

  /// None of the pod's containers runs or will start without a new [#hold].
  public void release(String podUid) {
    update(actual -> Optional.of(actual.release(podUid)));
  }

  /// The volume is about to be unpublished for the pod.
  ///
  /// @return false: the pod holds its volumes; look again
  public boolean beginUnpublish(VolumeName name, String podUid) {
    return update(actual -> actual.beginUnpublish(name, podUid)).isPresent();
  }

  /// A report is about to be written.
  ///
  /// @param wanted volumes that pods shall have
  /// @param attachable whether a volume is reported at all
  /// @return what to report
  public SortedSet<VolumeName> beginReport(
      Set<VolumeName> wanted, Predicate<VolumeName> attachable) {
    Actual before;
    Actual after;
    SortedSet<VolumeName> names;
    synchronized (this) { // an entry that comes later is refused unless the report has it
      before = present;
      names = before.report(wanted, attachable);
      after = before.beginReport(names);
      present = after;
    }
    tell(before, after);
    return names;
  }

  /// The API server has `names` as our report.
  public void reported(Set<VolumeName> names) {
    update(actual -> Optional.of(actual.reported(names)));
  }

  private Optional<Actual> update(Function<Actual, Optional<Actual>> change) {
    Actual before;
    Optional<Actual> after;
    synchronized (this) {
      before = present;
      after = change.apply(before);
      if (after.isEmpty()) return after;
      present = after.get();
    }
    tell(before, after.get());
    return after;
  }

  private void tell(Actual before, Actual after) {
    if (!before.equals(after)) listeners.forEach(listener -> listener.changed(before, after));
  }
}
