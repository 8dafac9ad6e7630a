package dev.berth.kube.lease;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.kube.api.Api;
import dev.berth.kube.api.ApiException;
import dev.berth.kube.api.Caller;
import dev.berth.kube.api.Patch;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.object.Resources;
import dev.berth.kube.time.Time;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Renews a Lease, so that everybody can see that its holder lives (NRUN-13, XPL-08).
public final class Heartbeat implements Tenure, AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(Heartbeat.class);
  private static final Duration PERIOD = Duration.ofSeconds(10);

  private final Api api;
  private final ObjectKey key;
  private final String holder;
  private final Duration term;
  private final Time time;
  private final Supplier<Optional<ObjectNode>> owner;

  // One beat at a time has these.
  private final Optional<Rivals> rivals;
  private boolean owned; // the Lease says with whom it goes

  // Guarded by this; nobody is asked with it held.
  private State state = State.RENEWED;
  private boolean beating;

  private enum State {
    RENEWED,
    /// It runs out.
    LEFT,
    GIVEN_UP
  }

  /// @param key of the Lease
  /// @param term how long one renewal holds, longer than the ten seconds between two
  public Heartbeat(Api api, ObjectKey key, String holder, Duration term, Time time) {
    this(api, key, holder, term, time, Optional::empty);
  }

  /// The same, for a Lease that goes with another object.
  ///
  /// @param owner that object as `metadata.ownerReferences` has it; empty: it is not there yet
  public Heartbeat(
      Api api,
      ObjectKey key,
      String holder,
      Duration term,
      Time time,
      Supplier<Optional<ObjectNode>> owner) {
    this(api, key, holder, term, time, owner, Optional.empty());
  }

  /// The same, for a Lease that nobody else should renew.
  ///
  /// @param rivals notices who does; empty: others may
  public Heartbeat(
      Api api,
      ObjectKey key,
      String holder,
      Duration term,
      Time time,
      Supplier<Optional<ObjectNode>> owner,
      Optional<Rivals> rivals) {
    this.owner = owner;
    this.rivals = rivals;
    this.api = api.by(Caller.within(term.dividedBy(4))); // so that there is time for another
    this.key = key;
    this.holder = holder;
    this.term = term;
    this.time = time;
  }

  @Override
  public void start() {
    time.start(this::beat);
  }

  /// Whatever goes wrong with one renewal, there is a next one.
  private void beat() {
    if (!begin()) return;
    try {
      renew(time.now());
    } catch (ApiException failed) {
      log.warn("lease {} was not renewed: {}", key, failed.getMessage());
    } catch (RuntimeException | Error defect) {
      log.error("lease {} was not renewed", key, defect);
    } finally {
      if (end()) giveUp(); // it was released meanwhile, and may have been renewed after that
    }
  }

  private synchronized boolean begin() {
    if (state != State.RENEWED || beating) return false;
    beating = true;
    return true;
  }

  /// @return whether the Lease was given up since the beat began
  private synchronized boolean end() {
    beating = false;
    if (state == State.RENEWED) time.after(PERIOD, this::beat);
    return state == State.GIVEN_UP;
  }

  /// Nobody else can want to act.
  @Override
  public boolean leads() {
    return true;
  }

  @Override
  public Optional<String> vacancy() {
    return Optional.empty();
  }

  /// It only says that somebody acts.
  @Override
  public boolean isStuck(Instant now, Duration grace) {
    return false;
  }

  /// Gives the Lease up: whoever waits for its holder need not wait until it has run out. A renewal
  /// that is under way is not waited for.
  @Override
  public void release() {
    synchronized (this) {
      if (state != State.RENEWED) return;
      state = State.GIVEN_UP;
    }
    giveUp();
  }

  private void giveUp() {
    var patch = JsonNodeFactory.instance.objectNode();
    patch.set("spec", spec("", time.now()));
    try {
      api.patch(Resources.LEASES, key, Patch.merge(patch));
    } catch (ApiException failed) {
      if (!failed.isNotFound())
        log.warn("lease {} was not given up, and runs out: {}", key, failed.getMessage());
    }
  }

  private void renew(Instant now) {
    var patch = JsonNodeFactory.instance.objectNode();
    patch.set("spec", spec(holder, now));
    if (rivals.filter(Rivals::isNew).isPresent()) look(now);
    rivals.ifPresent(each -> each.sign(patch));
    if (!owned)
      owner
          .get()
          .ifPresent(ref -> patch.withObject("/metadata").putArray("ownerReferences").add(ref));
    try {
      var written = patch(patch, now);
      rivals.ifPresent(each -> each.wrote(written));
      owned = owned || patch.path("metadata").has("ownerReferences");
    } catch (ApiException missing) {
      if (!missing.isNotFound()) throw missing;
      var lease = patch.deepCopy();
      lease.put("apiVersion", Resources.LEASES.apiVersion()).put("kind", Resources.LEASES.kind());
      lease.withObject("/metadata").put("namespace", key.namespace()).put("name", key.name());
      owned = false; // it went with its owner, of which there may be another by now
      lease.withObject("/metadata").remove("resourceVersion");
      var made = api.create(Resources.LEASES, lease);
      rivals.ifPresent(each -> each.wrote(made));
    }
  }

  /// Somebody has written in between: who it was is looked at, and then we write all the same.
  private ObjectNode patch(ObjectNode patch, Instant now) {
    try {
      return api.patch(Resources.LEASES, key, Patch.merge(patch));
    } catch (ApiException.LostRace other) {
      look(now);
      patch.withObject("/metadata").remove("resourceVersion");
      return api.patch(Resources.LEASES, key, Patch.merge(patch));
    }
  }

  private void look(Instant now) {
    try {
      var lease = api.get(Resources.LEASES, key);
      rivals.ifPresent(each -> each.look(lease, term, now));
    } catch (ApiException none) {
      if (!none.isNotFound()) log.debug("lease {} was not looked at", key, none);
    }
  }

  private ObjectNode spec(String name, Instant now) {
    return JsonNodeFactory.instance
        .objectNode()
        .put("holderIdentity", name)
        .put("leaseDurationSeconds", term.toSeconds())
        .put("renewTime", Hold.time(now));
  }

  /// Renews it no more; it runs out.
  @Override
  public synchronized void close() {
    if (state == State.RENEWED) state = State.LEFT;
  }
}
