package dev.berth.apiserver;

import dev.berth.apiserver.core.Answer;
import dev.berth.apiserver.core.Core;
import dev.berth.apiserver.core.Ids;
import dev.berth.apiserver.core.Outcome;
import dev.berth.apiserver.core.Refusals;
import dev.berth.apiserver.core.Request;
import dev.berth.apiserver.core.State;
import dev.berth.apiserver.core.Written;
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

  /// Upkeep is tried again so long after it could not be stored.
  private static final Duration AFTER_FAILURE = Duration.ofSeconds(1);

  private final Store store;
  private final Publication publication;
  private final InstantSource clock;
  private final Ids ids;
  private final Upkeep upkeep;
  private volatile Optional<String> readOnly = Optional.empty();

  Commits(Store store, Publication publication, InstantSource clock, Ids ids) {
    this.store = store;
    this.publication = publication;
    this.clock = clock;
    this.ids = ids;
    this.upkeep = new Upkeep(publication.state(), clock.instant(), ids);
  }

  /// Why the last commit failed; empty: it did not.
  Optional<String> readOnly() {
    return readOnly;
  }

  /// Whether there is something to commit though nobody has asked.
  boolean due() {
    return readOnly.isEmpty() && upkeep.due();
  }

  /// How long nothing needs to be committed unless somebody asks.
  Duration idle() {
    return readOnly.isPresent() ? AFTER_FAILURE : upkeep.idle();
  }

  /// Carries out `batch` in its order, and what is due by itself.
  void commit(List<Pending> batch) {
    var now = clock.instant();
    var state = publication.state();
    var written = new ArrayList<Written>();
    var answers = new ArrayList<Answer>(batch.size());
    for (var pending : batch) {
      var outcome = carryOut(state, pending.write(), now);
      state = outcome.state();
      written.addAll(outcome.written());
      answers.add(outcome.answer());
    }
    var kept = upkeep.next(state, now);
    state = kept.state();
    written.addAll(kept.written());
    if (stored(state, written)) {
      publication.publish(state, written, now);
      upkeep.note(written);
      for (int i = 0; i < batch.size(); i++) batch.get(i).complete(answers.get(i));
    } else {
      upkeep.startOver(publication.state());
      var refusal = Refusals.notStored(readOnly.orElse(""));
      batch.forEach(pending -> pending.refuse(refusal));
    }
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

  /// @return whether all is on disk; if not, nothing is
  private boolean stored(State state, List<Written> written) {
    if (written.isEmpty()) return true;
    try {
      store.commit(state.revision(), written);
      if (readOnly.isPresent()) log.info("writes are stored again");
      readOnly = Optional.empty();
      return true;
    } catch (StoreException e) {
      if (readOnly.isEmpty()) log.error("read-only until a write can be stored again", e);
      readOnly = Optional.of(String.valueOf(e.getMessage()));
      return false;
    }
  }
}
