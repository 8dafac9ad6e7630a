package dev.berth.apiserver;

import dev.berth.apiserver.core.Core;
import dev.berth.apiserver.core.Ids;
import dev.berth.apiserver.core.custom.rule.CelPrograms;
import dev.berth.apiserver.core.custom.rule.CelSource;
import dev.berth.apiserver.core.message.Answer;
import dev.berth.apiserver.core.message.Refusals;
import dev.berth.apiserver.core.message.Request;
import dev.berth.apiserver.core.message.WatchRequest;
import dev.berth.apiserver.core.read.Watching;
import dev.berth.apiserver.core.state.Kinds;
import dev.berth.apiserver.core.state.Past;
import dev.berth.apiserver.core.state.State;
import dev.berth.apiserver.rights.fair.Work;
import dev.berth.apiserver.store.Store;
import dev.berth.apiserver.store.StoreException;
import dev.berth.kube.object.Resource;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;

/// The API server over a store, in this process.
public final class EmbeddedApiServer implements ApiServer {
  /// How long a request waits for a revision that is still to come (API-50).
  private static final Duration PATIENCE = Duration.ofSeconds(3);

  private static final int TIMEOUT = 504;

  /// More than one are needed only if a definition changes meanwhile.
  private static final int MOST_ATTEMPTS = 8;

  /// Compiles rules in CEL, in the thread of who asks.
  interface Preparation {
    void compile(Set<CelSource> rules) throws InterruptedException;
  }

  private final Store store;
  private final InstantSource clock;
  private final Ids ids;
  private final Optional<HistoryThread> history;
  private final Publication publication;
  private final KeptStates past;
  private final HeapRoom heap;
  private final Commits commits;
  private final Writer writer;
  private final Duration patience;
  private final Preparation preparation;

  private EmbeddedApiServer(
      Store store,
      InstantSource clock,
      Ids ids,
      Duration patience,
      Preparation preparation,
      Supplier<Optional<HistoryThread>> history,
      Function<Commits, Writer> writer)
      throws StoreException {
    this.store = store;
    this.clock = clock;
    this.ids = ids;
    this.patience = patience;
    this.preparation = preparation;
    var loaded = store.load();
    var prepared = Core.prepare(loaded, clock.instant(), ids);
    if (!prepared.written().isEmpty())
      store.commit(prepared.state().revision(), prepared.written());
    this.history = history.get(); // once nothing can fail any more: it is a thread
    this.publication = new Publication(prepared.state(), this.history);
    this.past = new KeptStates(clock);
    this.heap = HeapRoom.ofProcess(past::letGo);
    this.commits = new Commits(store, heap, publication, clock, ids);
    this.writer = writer.apply(commits);
  }

  /// A server for any number of threads, with a thread of its own that writes.
  ///
  /// @param store closed with the server
  public static EmbeddedApiServer start(Store store) throws StoreException {
    return start(store, RuleCompiler::compile);
  }

  static EmbeddedApiServer start(Store store, Preparation preparation) throws StoreException {
    return new EmbeddedApiServer(
        store,
        InstantSource.system(),
        new Ids(new SecureRandom()),
        PATIENCE,
        preparation,
        () -> store.folder().flatMap(HistoryThread::start),
        WriterThread::start);
  }

  /// A server that does everything on the thread that asks, for one thread: the same requests at
  /// the same times with the same `ids` make the same history.
  ///
  /// @param store closed with the server
  public static EmbeddedApiServer inOneThread(Store store, InstantSource clock, Ids ids)
      throws StoreException {
    return new EmbeddedApiServer(
        store, clock, ids, Duration.ZERO, CelPrograms::compile, Optional::empty, Writer::atOnce);
  }

  /// What takes long to make ready is made here, and not by the writer, for whom all wait.
  @Override
  public Answer handle(Request request) throws InterruptedException {
    for (int attempt = 0; attempt < MOST_ATTEMPTS; attempt++) {
      var answer = attempt(request);
      if (!(answer instanceof Answer.Unready(var rules))) return answer;
      Work.current()
          .aside(() -> {
            preparation.compile(rules);
            return rules;
          });
    }
    return new Answer.Refused(Refusals.tooManyRequests());
  }

  private Answer attempt(Request request) throws InterruptedException {
    return switch (request) {
      case Request.Read read -> read(read);
      case Request.Write write -> {
        var work = Work.current();
        var pending = new Pending(write, work.line());
        writer.submit(pending);
        yield work.aside(pending::await);
      }
    };
  }

  private Answer read(Request.Read read) throws InterruptedException {
    var answer = readNow(read);
    if (!isTooEarly(answer) || patience.isZero()) return answer;
    Work.current().aside(() -> publication.await(wanted(read), patience));
    return readNow(read);
  }

  private Answer readNow(Request.Read read) {
    var state = publication.state();
    var looked = new LookedBack();
    var answer = Core.read(state, looked, read, clock.instant(), ids);
    if (answer instanceof Answer.Page page && !page.continueToken().isEmpty()) {
      if (page.revision() == state.revision()) past.keep(state);
      else looked.keep();
    }
    return answer;
  }

  /// The states that one request looks for. One that is made again for a page is made once for all
  /// of the list.
  private final class LookedBack implements Past {
    private Runnable keep = () -> {};

    @Override
    public Optional<State> at(Resource resource, long revision) {
      return past.at(resource, revision)
          .or(() -> {
            var made = lookBack(resource, revision);
            made.ifPresent(again -> keep = () -> past.keep(resource, again.state(), again.bytes()));
            return made.map(Publication.Again::state);
          });
    }

    /// Where there is no memory for it, it is as if it were not known any more.
    private Optional<Publication.Again> lookBack(Resource resource, long revision) {
      if (heap.full(clock.instant()).isPresent()) return Optional.empty();
      var work = Work.current();
      try {
        return work.aside(() -> publication.at(resource, revision, work.purse()));
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return Optional.empty();
      }
    }

    void keep() {
      keep.run();
    }
  }

  private static boolean isTooEarly(Answer answer) {
    return answer instanceof Answer.Refused(var refusal) && refusal.code() == TIMEOUT;
  }

  /// The revision that is still to come.
  private static long wanted(Request.Read read) {
    return switch (read) {
      case Request.Get get -> Long.parseLong(get.resourceVersion());
      case Request.List list -> Long.parseLong(list.options().resourceVersion());
      case Request.DryRun _, Request.Sketch _ -> 0;
    };
  }

  @Override
  public WatchAnswer watch(WatchRequest request, Runnable wake) throws InterruptedException {
    return switch (Watching.plan(request, kinds())) {
      case Watching.Plan.Refused(var refusal) -> new WatchAnswer.Refused(refusal);
      case Watching.Plan.Ready(var watching) ->
          new WatchAnswer.Streaming(
              publication.await(watching.revision(), patience)
                  ? LogStream.open(watching, publication, wake)
                  : LogStream.tooEarly(watching, publication));
    };
  }

  @Override
  public Kinds kinds() {
    return publication.state().kinds();
  }

  @Override
  public State state() {
    return publication.state();
  }

  @Override
  public long revision() {
    return publication.state().revision();
  }

  @Override
  public Optional<String> trouble() {
    return commits.trouble();
  }

  @Override
  public void close() {
    boolean interrupted = isInterrupted(writer::close);
    if (history.isPresent()) interrupted |= isInterrupted(history.get()::close);
    if (interrupted) Thread.currentThread().interrupt();
    publication.closeStreams();
    store.close();
  }

  /// The end of a part of the server.
  private interface Ending {
    void await() throws InterruptedException;
  }

  /// Whether who waited for it was called away: the other parts are still to end.
  private static boolean isInterrupted(Ending ending) {
    try {
      ending.await();
      return false;
    } catch (InterruptedException e) {
      return true;
    }
  }
}
