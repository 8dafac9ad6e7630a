package dev.berth.kube.lease;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.kube.api.Api;
import dev.berth.kube.api.ApiException;
import dev.berth.kube.api.Caller;
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

/// One candidate for a Lease, beside others of ours and of client-go (ONE-18 to ONE-20).
///
/// A leader that could not renew in time is deposed though it may never hear an answer, and stands
/// again; the process goes on.
public final class Election implements Tenure {
  private static final Logger log = LoggerFactory.getLogger(Election.class);

  private static final int HURRY = 5;

  private final ObjectKey key;
  private final String identity;
  private final Terms terms;
  private final Time time;
  private final EventRecorder events;
  private final Runnable changed;
  private final CandidatesLease lease;
  private final LeaseWatch watch;

  // Guarded by this.
  private Optional<Instant> renewed = Optional.empty(); // present: we lead
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
    this.key = key;
    this.identity = identity;
    this.terms = terms;
    this.time = time;
    this.events = events;
    this.changed = changed;
    var server = api.by(Caller.within(terms.answer()));
    lease = new CandidatesLease(server, key, identity, labels, terms.lease(), time);
    watch = new LeaseWatch(server, key, this::news, () -> time.start(this::attempt));
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
    return leads() ? identity : lease.holder();
  }

  /// Whoever has not renewed it for as long as it holds counts for nobody: perhaps the server that
  /// would tell does not answer.
  @Override
  public synchronized Optional<String> vacancy() {
    if (leads() || lease.isOthers()) return Optional.empty();
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
    synchronized (this) {
      if (over) return;
      over = true;
      next.cancel();
      deadline.cancel();
      held = renewed.isPresent() ? lease.latest() : Optional.empty();
      renewed = Optional.empty();
    }
    watch.close();
    held.ifPresent(lease::giveUp);
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
    } catch (RuntimeException | Error defect) {
      log.error("lease {}", key, defect);
      failed(defect.toString());
    } finally {
      again(pause());
    }
    lease.latest().ifPresent(watch::listen);
  }

  private synchronized void again(Duration pause) {
    trying = false;
    if (!over) next = time.after(pause, this::attempt);
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
    var outcome = lease.take(now, this::leads);
    if (outcome == CandidatesLease.Outcome.OTHERS)
      depose("%s has taken it".formatted(lease.holder()));
    return outcome == CandidatesLease.Outcome.OURS;
  }

  private void won(Instant began) {
    boolean first = false;
    boolean news = false;
    var tooLate = Optional.<ObjectNode>empty();
    synchronized (this) {
      if (over) {
        tooLate = lease.latest();
      } else {
        first = renewed.isEmpty();
        news = !leads(); // also after a leap of the clock, though nothing was said of that
        renewed = Optional.of(began);
        deadline.cancel();
        var left = Duration.between(time.now(), began.plus(terms.renew()));
        deadline = time.after(left.isNegative() ? Duration.ZERO : left, () -> late(began));
      }
    }
    tooLate.ifPresent(lease::giveUp); // it was released meanwhile
    if (first) {
      log.info("lease {}: held by us, {}", key, identity);
      tell("became leader");
    }
    if (news) changed.run();
  }

  private void tell(String what) {
    lease
        .latest()
        .ifPresent(it ->
            events.tell(
                Notice.normal(
                    Ref.of(Resources.LEASES, Meta.of(it)),
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

  private void news(ObjectNode current) {
    var heard = lease.heard(current);
    if (heard.isEmpty() || heard.get().holder().equals(identity)) return;
    var holder = heard.get().holder();
    depose("%s has taken it".formatted(holder.isEmpty() ? "nobody" : holder));
    if (holder.isEmpty()) time.start(this::attempt);
  }
}
