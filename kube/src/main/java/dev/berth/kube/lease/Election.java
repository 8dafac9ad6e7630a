package dev.berth.kube.lease;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.kube.api.Api;
import dev.berth.kube.api.ApiException;
import dev.berth.kube.api.Selector;
import dev.berth.kube.event.EventRecorder;
import dev.berth.kube.event.Notice;
import dev.berth.kube.name.Reasons;
import dev.berth.kube.object.Meta;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.object.Ref;
import dev.berth.kube.object.Resources;
import dev.berth.kube.time.Time;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// One candidate for a Lease, beside others of ours and of client-go (ONE-18 to ONE-20). Nobody's
/// clock is compared with anybody else's: whoever waits counts from when it saw the Lease change.
///
/// A leader that could not renew in time is deposed though it may never hear an answer, and stands
/// again; the process goes on.
public final class Election implements Tenure {
  private static final Logger log = LoggerFactory.getLogger(Election.class);

  private static final int HURRY = 5;

  private final Api api;
  private final ObjectKey key;
  private final String identity;
  private final Map<String, String> labels;
  private final Terms terms;
  private final Time time;
  private final EventRecorder events;
  private final Runnable changed;

  // Guarded by this.
  private Hold seen = Hold.NOBODY;
  private Instant seenAt;
  private Optional<ObjectNode> latest = Optional.empty(); // as last seen or written
  private Optional<Instant> renewed = Optional.empty(); // present: we lead
  private Optional<Api.Watch> watch = Optional.empty();
  private boolean trying;
  private boolean over;
  private String failure = "";
  private Time.Timer next = () -> {};
  private Time.Timer deadline = () -> {};

  /// @param api a client of its own: a leader must not lose its Lease to its own work's queue
  /// @param key of the Lease
  /// @param identity what no other candidate calls itself, such as the pod's name
  /// @param labels that the Lease gets when it is taken, beside those that it has
  /// @param events where it is told, about the Lease, who leads, as client-go does
  /// @param changed called after [#leads] has changed, perhaps late and perhaps beside another
  ///   call: who is called looks at [#leads], and counts no calls
  public Election(
      Api api,
      ObjectKey key,
      String identity,
      Map<String, String> labels,
      Terms terms,
      Time time,
      EventRecorder events,
      Runnable changed) {
    if (identity.isEmpty()) throw new IllegalArgumentException("a candidate needs a name");
    this.api = api;
    this.key = key;
    this.identity = identity;
    this.labels = Map.copyOf(labels);
    this.terms = terms;
    this.time = time;
    this.events = events;
    this.changed = changed;
    seenAt = time.now();
  }

  /// Stands for election, until [#release]; returns at once.
  @Override
  public void start() {
    time.start(this::attempt);
  }

  /// By the clock too: who was suspended for longer than its Lease holds leads no more when it
  /// wakes, whichever of its threads is the first.
  @Override
  public synchronized boolean leads() {
    return renewed.filter(at -> time.now().isBefore(at.plus(terms.renew()))).isPresent();
  }

  /// Who has the Lease, as far as is known; empty: nobody.
  public synchronized String holder() {
    return leads() ? identity : seen.holder();
  }

  /// Whoever has not renewed it for as long as it holds counts for nobody: perhaps the server that
  /// would tell does not answer.
  @Override
  public synchronized Optional<String> vacancy() {
    if (leads() || isOthers(seen, time.now())) return Optional.empty();
    var why = failure.isEmpty() ? "no answer yet" : failure;
    return Optional.of("lease %s is not held: %s".formatted(key, why));
  }

  @Override
  public synchronized boolean isStuck(Instant now, Duration grace) {
    return renewed.filter(at -> at.plus(terms.lease()).plus(grace).isBefore(now)).isPresent();
  }

  /// Stands no more, and gives the Lease up if it is ours, so that the next need not wait.
  @Override
  public void release() {
    Optional<ObjectNode> held;
    Optional<Api.Watch> open;
    synchronized (this) {
      if (over) return;
      over = true;
      next.cancel();
      deadline.cancel();
      open = watch;
      watch = Optional.empty();
      held = renewed.isPresent() ? latest : Optional.empty();
      renewed = Optional.empty();
    }
    open.ifPresent(Api.Watch::close);
    held.ifPresent(this::giveUp);
  }

  private void giveUp(ObjectNode held) {
    var free = held.deepCopy();
    Hold.of(held).givenUp(time.now()).into(free);
    try {
      api.update(Resources.LEASES, free);
    } catch (ApiException failed) {
      log.warn("lease {} was not given up, and runs out: {}", key, failed.getMessage());
    }
  }

  private void attempt() {
    synchronized (this) {
      if (over || trying) return;
      trying = true;
      next.cancel();
    }
    var began = time.now();
    try {
      if (take(began)) won(began);
      failed("");
    } catch (ApiException refused) {
      failed(refused.getMessage());
    } catch (RuntimeException defect) {
      log.error("lease {}", key, defect);
      failed(defect.toString());
    }
    var pause = pause();
    synchronized (this) {
      trying = false;
      if (!over) next = time.after(pause, this::attempt);
    }
    listen();
  }

  /// Candidates do not all look at the same moment; a leader that failed hurries.
  private synchronized Duration pause() {
    if (leads()) return failure.isEmpty() ? terms.retry() : terms.retry().dividedBy(HURRY);
    return terms
        .retry()
        .plus(terms.retry().multipliedBy(time.random().nextInt(100)).dividedBy(500));
  }

  private void failed(String why) {
    boolean news;
    synchronized (this) {
      news = !why.equals(failure);
      failure = why;
    }
    if (news && !why.isEmpty()) log.warn("lease {}: {}", key, why);
  }

  /// @return whether the Lease is ours from `now` on
  private boolean take(Instant now) {
    var current = leads() ? latest() : read();
    if (current.isEmpty()) return make(now);
    var hold = observe(current.get());
    if (isOthers(hold, now)) {
      depose("%s has taken it".formatted(hold.holder()));
      return false;
    }
    var mine = current.get().deepCopy();
    hold.takenBy(identity, terms.lease(), now).into(mine);
    try {
      observe(api.update(Resources.LEASES, labelled(mine)));
      return true;
    } catch (ApiException refused) {
      if (!(refused instanceof ApiException.LostRace) && !refused.isNotFound()) throw refused;
      return leads() && renewAnew(now);
    }
  }

  /// Our own copy was old, as when somebody else wrote a label: what counts is who has it.
  private boolean renewAnew(Instant now) {
    var current = read();
    if (current.isEmpty()) return make(now);
    var hold = observe(current.get());
    if (!hold.holder().equals(identity)) {
      depose("%s has taken it".formatted(hold.holder()));
      return false;
    }
    hold.takenBy(identity, terms.lease(), now).into(current.get());
    observe(api.update(Resources.LEASES, labelled(current.get())));
    return true;
  }

  private ObjectNode labelled(ObjectNode lease) {
    labels.forEach((key, value) -> lease.withObject("/metadata/labels").put(key, value));
    return lease;
  }

  private boolean make(Instant now) {
    var hold = Hold.NOBODY.takenBy(identity, terms.lease(), now);
    try {
      observe(api.create(Resources.LEASES, labelled(hold.newLease(key))));
      return true;
    } catch (ApiException.LostRace lost) {
      return false;
    }
  }

  private Optional<ObjectNode> read() {
    try {
      return Optional.of(api.get(Resources.LEASES, key));
    } catch (ApiException missing) {
      if (!missing.isNotFound()) throw missing;
      return Optional.empty();
    }
  }

  private synchronized Optional<ObjectNode> latest() {
    return latest;
  }

  private synchronized Hold observe(ObjectNode current) {
    var hold = Hold.of(current);
    latest = Optional.of(current);
    if (!hold.equals(seen)) {
      if (!hold.holder().equals(seen.holder()) && !hold.holder().equals(identity))
        log.info("lease {} is held by {}", key, hold.holder().isEmpty() ? "nobody" : hold.holder());
      seen = hold;
      seenAt = time.now();
    }
    return hold;
  }

  private synchronized boolean isOthers(Hold hold, Instant now) {
    return !hold.holder().isEmpty()
        && !hold.holder().equals(identity)
        && now.isBefore(seenAt.plus(hold.term()));
  }

  private void won(Instant began) {
    boolean news = false;
    var tooLate = Optional.<ObjectNode>empty();
    synchronized (this) {
      if (over) {
        tooLate = latest;
      } else {
        news = renewed.isEmpty();
        renewed = Optional.of(began);
        deadline.cancel();
        var left = Duration.between(time.now(), began.plus(terms.renew()));
        deadline = time.after(left.isNegative() ? Duration.ZERO : left, () -> late(began));
      }
    }
    tooLate.ifPresent(this::giveUp); // it was released meanwhile
    if (!news) return;
    log.info("lease {}: held by us, {}", key, identity);
    tell("became leader");
    changed.run();
  }

  private void tell(String what) {
    latest()
        .ifPresent(lease ->
            events.tell(
                Notice.normal(
                    Ref.of(Resources.LEASES, Meta.of(lease)),
                    Reasons.LEADER_ELECTION,
                    identity + " " + what)));
  }

  /// The time has passed, whatever the clock says, which somebody may have set back.
  ///
  /// @param began when the renewal began that nothing has followed
  private void late(Instant began) {
    String why;
    synchronized (this) {
      if (!renewed.equals(Optional.of(began))) return;
      why = failure.isEmpty() ? "no answer" : failure;
    }
    depose("it was not renewed within %d s: %s".formatted(terms.renew().toSeconds(), why));
  }

  private void depose(String why) {
    synchronized (this) {
      if (renewed.isEmpty()) return;
      renewed = Optional.empty();
      deadline.cancel();
    }
    log.warn("lease {}: lost, as {}", key, why);
    tell("stopped leading");
    changed.run();
  }

  /// Whoever waits is told when the Lease becomes free, and whoever leads when somebody takes it;
  /// where watching is refused, the next look finds it.
  private void listen() {
    Optional<ObjectNode> from;
    synchronized (this) {
      if (over || watch.isPresent()) return;
      from = latest;
    }
    if (from.isEmpty()) return;
    try {
      var opened =
          api.watch(
              Resources.LEASES,
              key.namespace(),
              Selector.fields("metadata.name=" + key.name()),
              Meta.of(from.get()).resourceVersion(),
              new News());
      if (!keep(opened)) opened.close();
    } catch (ApiException refused) {
      log.debug("lease {} is not watched: {}", key, refused.getMessage());
    }
  }

  private synchronized boolean keep(Api.Watch opened) {
    if (over) return false;
    watch = Optional.of(opened);
    return true;
  }

  private synchronized void unwatched() {
    watch = Optional.empty();
  }

  private void news(ObjectNode current) {
    if (latest().filter(known -> isOlder(current, known)).isPresent()) return; // a late echo
    var hold = observe(current);
    if (hold.holder().equals(identity)) return;
    depose("%s has taken it".formatted(hold.holder().isEmpty() ? "nobody" : hold.holder()));
    if (hold.holder().isEmpty()) time.start(this::attempt);
  }

  /// Versions are decimal numbers (API-43).
  private static boolean isOlder(ObjectNode one, ObjectNode other) {
    var a = Meta.of(one).resourceVersion();
    var b = Meta.of(other).resourceVersion();
    return a.length() != b.length() ? a.length() < b.length() : a.compareTo(b) < 0;
  }

  private final class News implements Api.Watcher {
    @Override
    public void added(ObjectNode object) {
      news(object);
    }

    @Override
    public void modified(ObjectNode object) {
      news(object);
    }

    @Override
    public void deleted(ObjectNode object) {
      time.start(Election.this::attempt);
    }

    @Override
    public void bookmark(String resourceVersion) {}

    @Override
    public void closed(boolean resumable) {
      unwatched();
    }
  }
}
