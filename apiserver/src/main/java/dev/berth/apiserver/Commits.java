package dev.berth.apiserver;

import dev.berth.apiserver.core.Core;
import dev.berth.apiserver.core.Ids;
import dev.berth.apiserver.core.Outcome;
import dev.berth.apiserver.core.message.Answer;
import dev.berth.apiserver.core.message.Refusal;
import dev.berth.apiserver.core.message.Refusals;
import dev.berth.apiserver.core.message.Request;
import dev.berth.apiserver.core.state.State;
import dev.berth.apiserver.core.state.Written;
import dev.berth.apiserver.store.Growth;
import dev.berth.apiserver.store.Store;
import dev.berth.apiserver.store.StoreException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Carries out writes, many in one transaction: applies them one after the other, stores what they
/// wrote, shows it, answers. For one thread at a time.
final class Commits {
  private static final Logger log = LoggerFactory.getLogger(Commits.class);

  private static final Duration BETWEEN_FORGETTINGS = Duration.ofMinutes(1);

  /// Of one transaction, until it is stored: who comes next waits for so long for others' writes.
  private static final Duration MOST_TIME = Duration.ofMillis(20);

  /// Upkeep is tried again so long after it could not be stored.
  private static final Duration AFTER_FAILURE = Duration.ofSeconds(1);

  private final Store store;
  private final HeapRoom heap;
  private final Publication publication;
  private final InstantSource clock;
  private final Ids ids;
  private final Upkeep upkeep;
  private Instant nextForgetting;
  private volatile Optional<String> trouble = Optional.empty();

  /// Whether the trouble is that the disk is full, which can be looked at; others show at a write.
  private boolean full;

  Commits(Store store, HeapRoom heap, Publication publication, InstantSource clock, Ids ids) {
    this.store = store;
    this.heap = heap;
    this.publication = publication;
    this.clock = clock;
    this.ids = ids;
    this.nextForgetting = clock.instant().plus(BETWEEN_FORGETTINGS);
    this.upkeep = new Upkeep(publication.state(), clock.instant(), ids);
  }

  /// Why not every write is stored at present; empty: every one is.
  Optional<String> trouble() {
    return trouble;
  }

  /// Whether there is something to commit though nobody has asked.
  boolean due() {
    return trouble.isEmpty() && upkeep.due();
  }

  /// How long nothing needs to be committed unless somebody asks.
  Duration idle() {
    return trouble.isPresent() ? AFTER_FAILURE : upkeep.idle();
  }

  /// Carries out writes in their order, as many as are done in a short time, and what is due by
  /// itself. On a full disk, or a full heap, only what needs no room.
  ///
  /// @return how many of them are answered, the first at least; the others are as if not seen yet
  int commit(List<Pending> waiting) {
    var now = clock.instant();
    var all = plan(waiting, now, Optional.empty());
    var batch = waiting.subList(0, all.answers().size());
    commit(batch, all, now);
    return batch.size();
  }

  private void commit(List<Pending> batch, Plan all, Instant now) {
    var refusal = memoryFor(all, now).or(() -> roomFor(all)).or(() -> store(all));
    if (refusal.isEmpty()) {
      if (trouble.isPresent() && (full || !all.written().isEmpty()))
        note(heap.full(now).or(store::full));
      show(all, batch, now);
      return;
    }
    upkeep.startOver(publication.state());
    var rest = plan(batch, now, refusal);
    store(rest).ifPresentOrElse(why -> refuse(batch, why), () -> show(rest, batch, now));
  }

  private void refuse(List<Pending> batch, Refusal why) {
    upkeep.startOver(publication.state());
    batch.forEach(pending -> pending.refuse(why));
  }

  private void show(Plan stored, List<Pending> batch, Instant now) {
    publication.publish(stored.state(), stored.written(), now);
    upkeep.note(stored.state(), stored.written(), now);
    for (int i = 0; i < batch.size(); i++) batch.get(i).complete(stored.answers().get(i));
    if (now.isBefore(nextForgetting)) return;
    nextForgetting = now.plus(BETWEEN_FORGETTINGS);
    publication.forgetOld(now);
  }

  /// What comes of a batch.
  ///
  /// @param answers one for each of its writes
  private record Plan(State state, List<Written> written, List<Answer> answers) {}

  /// What comes of the first of them.
  ///
  /// @param noRoom why there is none for what needs some; empty: there may be
  private Plan plan(List<Pending> batch, Instant now, Optional<Refusal> noRoom) {
    var state = publication.state();
    var written = new ArrayList<Written>();
    var answers = new ArrayList<Answer>(batch.size());
    long end = System.nanoTime() + MOST_TIME.toNanos();
    for (var pending : batch) {
      if (!answers.isEmpty() && noRoom.isEmpty() && System.nanoTime() > end) break;
      var outcome = carryOut(state, pending.write(), now);
      if (noRoom.isPresent() && !Growth.needsNoRoom(pending.write(), outcome.written())) {
        answers.add(new Answer.Refused(noRoom.get()));
        continue;
      }
      state = outcome.state();
      written.addAll(outcome.written());
      answers.add(outcome.answer());
    }
    var kept = upkeep.next(state, now);
    state = kept.state();
    written.addAll(kept.written());
    return new Plan(state, written, answers);
  }

  /// A defect of ours that one request meets must not stop those beside it.
  private Outcome carryOut(State state, Request.Write write, Instant now) {
    try {
      return Core.write(state, write, now, ids);
    } catch (RuntimeException | StackOverflowError defect) {
      log.error("a write to {} met a defect", write.resource().plural(), defect);
      var refused = new Answer.Refused(Refusals.internalError(defect));
      return new Outcome(state, refused, List.of());
    }
  }

  /// @return why there is none; empty: there is
  private Optional<Refusal> memoryFor(Plan plan, Instant now) {
    if (plan.written().isEmpty()) return Optional.empty();
    var why = heap.full(now);
    if (why.isPresent()) {
      note(why);
      full = true;
    }
    return why.map(Refusals::noRoom);
  }

  /// @return why there is none; empty: there is
  private Optional<Refusal> roomFor(Plan plan) {
    var why = store.makeRoomFor(plan.written());
    if (why.isPresent() && publication.giveBackHistory()) why = store.makeRoomFor(plan.written());
    if (why.isPresent()) {
      note(why);
      full = true;
    }
    return why.map(Refusals::noRoom);
  }

  /// @return why nothing of it is on disk; empty: all is
  private Optional<Refusal> store(Plan plan) {
    if (plan.written().isEmpty()) return Optional.empty();
    try {
      store.commit(plan.state().revision(), plan.written());
      return Optional.empty();
    } catch (StoreException e) {
      log.debug("a commit failed", e);
      note(Optional.of(String.valueOf(e.getMessage())));
      return trouble.map(Refusals::notStored);
    }
  }

  private void note(Optional<String> now) {
    if (trouble.isEmpty() && now.isPresent())
      log.error("not every write can be stored: {}", now.get());
    if (trouble.isPresent() && now.isEmpty()) log.info("every write can be stored again");
    trouble = now;
    full &= now.isPresent();
  }
}
