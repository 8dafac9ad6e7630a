package dev.berth.linux.check;

import dev.berth.linux.check.Finding.Weight;
import dev.berth.linux.mount.MountEntry;
import dev.berth.linux.mount.MountTable;
import dev.berth.linux.mount.Mounts;
import dev.berth.linux.sys.LinuxException;
import dev.berth.linux.sys.OwnThread;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Semaphore;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Looks after mounted volumes and raw devices: hears what the kernel says of them by itself, and
/// uses each of them a little now and then. A verdict is there for whoever asks, at once, whatever
/// the drive does (BM-188).
///
/// One use of a volume at a time, on a thread that may hang with it; no volume waits for another. A
/// device that is busy and slow is not ill: only who has work and finishes none of it is.
public final class VolumeWatch implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(VolumeWatch.class);

  /// Uses at a time; those that take longer than a moment are not counted, as no volume waits for
  /// another that hangs.
  private static final int MOST_AT_ONCE = 4;

  private static final long MOMENT = TimeUnit.SECONDS.toNanos(1);

  /// Threads that hang; beyond that nothing more is tried.
  private static final int MOST_HANGING = 256;

  private static final long SOON = TimeUnit.MILLISECONDS.toNanos(100);

  /// Uses that are due within this part of a pace begin together: a processor that has just done
  /// one does the next for half of what it costs alone.
  private static final int TOGETHER = 150;

  private static final long ALARM = TimeUnit.SECONDS.toNanos(3);
  private static final int STACK = 256 * 1024;

  private final Pace pace;
  private final Mounts mounts;
  private final MountedCheck check;
  private final Runnable changed;
  private final Map<String, Care> cared = new HashMap<>(); // guarded by this

  /// Volumes whose mounts are being made or taken away, or have been since the last look; whether
  /// they still are. Guarded by this.
  private final Map<String, Boolean> moves = new HashMap<>();

  private final Semaphore nudges = new Semaphore(0);
  private final ExecutorService uses = threads();
  private final Optional<FileSystemErrors> errors;
  private final OwnThread thread = new OwnThread("volume-watch", this::run);
  private volatile Map<String, List<Finding>> findings = Map.of();
  private volatile Set<String> known = Set.of();
  private volatile Figures figures = Figures.NONE;
  private final AtomicBoolean asked = new AtomicBoolean();
  private final AtomicBoolean news = new AtomicBoolean();
  private long looked = System.nanoTime() - TimeUnit.HOURS.toNanos(1); // used by the own thread
  private long counted = looked;
  private MountTable shown = new MountTable(List.of());
  private Map<Path, MountEntry> byPlace = Map.of();
  private volatile boolean alarmed;
  private volatile long alarmedUntil;
  private volatile boolean closed;
  private volatile long wakes = looked; // when the next round is, at the latest

  /// @param changed runs whenever [#findings] or [#known] has changed; must not block
  public VolumeWatch(Pace pace, Runnable changed) {
    this(pace, Mounts.ofThisMachine(), new MountedCheck(), changed);
  }

  VolumeWatch(Pace pace, Mounts mounts, MountedCheck check, Runnable changed) {
    this.pace = pace;
    this.mounts = mounts;
    this.check = check;
    this.changed = changed;
    this.errors = FileSystemErrors.open(this::alarm);
    thread.start();
  }

  private static ExecutorService threads() {
    return new ThreadPoolExecutor(
        0,
        MOST_HANGING + MOST_AT_ONCE,
        1,
        TimeUnit.MINUTES,
        new SynchronousQueue<>(),
        Thread.ofPlatform().daemon().name("volume-use-", 0).stackSize(STACK).factory());
  }

  /// Says anew which volumes there are. What was found of those that stay is kept.
  public void watch(Collection<Watched> volumes) {
    synchronized (this) {
      var ids = new HashSet<String>();
      for (var volume : volumes) {
        ids.add(volume.id());
        var before = cared.get(volume.id());
        if (before != null && before.volume.equals(volume)) continue;
        if (before != null) before.device.close();
        cared.put(volume.id(), new Care(volume, check.sysfs(), System.nanoTime()));
      }
      cared
          .values()
          .removeIf(care -> {
            if (ids.contains(care.volume.id())) return false;
            care.device.close();
            return true;
          });
    }
    nudge();
  }

  /// From now on, until it has [#moved], it is no illness of a volume that it is not mounted, and
  /// not known to be well either.
  public synchronized void moves(String id) {
    moves.put(id, true);
  }

  /// Its mount is where it is to be again.
  public void moved(String id) {
    synchronized (this) {
      moves.put(id, false);
    }
    nudge();
  }

  /// It is not looked after any more.
  public synchronized void forget(String id) {
    var care = cared.remove(id);
    if (care != null) care.device.close();
  }

  /// What is wrong, by id; volumes that are well are not in it.
  public Map<String, List<Finding>> findings() {
    return findings;
  }

  /// The volumes of which [#knows] holds.
  public Set<String> known() {
    return known;
  }

  /// Whether what is said of a volume rests on looks and uses of this watch: not yet right after it
  /// began, nor while a first failure is in doubt.
  public synchronized boolean knows(String id) {
    var care = cared.get(id);
    if (care == null || !care.looked) return false;
    return care.volume.touch() == Watched.Touch.LEFT_ALONE
        || care.said.stream().anyMatch(it -> it.weight() == Weight.DEAD)
        || (care.uses > 0 && !care.damped.unsure());
  }

  /// Whether the kernel tells of its errors by itself.
  synchronized boolean hears(String id) {
    var care = cared.get(id);
    return care != null && care.heard;
  }

  public Figures figures() {
    return figures;
  }

  /// Looks at once.
  public void nudge() {
    asked.set(true);
    nudges.release();
  }

  /// A file system says that it has met an error. It counts it a moment later.
  private void alarm() {
    alarmedUntil = System.nanoTime() + ALARM;
    alarmed = true;
    nudge();
  }

  private void run() {
    while (!closed) {
      try {
        long wait = round();
        wakes = System.nanoTime() + wait;
        nudges.tryAcquire(wait, TimeUnit.NANOSECONDS);
        nudges.drainPermits();
      } catch (InterruptedException _) {
        return;
      } catch (RuntimeException e) {
        log.warn("volumes are not looked after in this round", e);
      }
    }
  }

  /// A use that is due makes no look at all volumes.
  ///
  /// @return nanoseconds until the next round
  private long round() {
    long now = System.nanoTime();
    boolean all = asked.getAndSet(false) || alarmed || now - looked >= pace.look().toNanos();
    if (all) look(now);
    alarmed &= now - alarmedUntil < 0;
    long wait = alarmed ? SOON : pace.look().toNanos();
    long together = Math.max(SOON, pace.probe().toNanos() / TOGETHER);
    var due = new ArrayList<Care>();
    int under = 0;
    synchronized (this) {
      for (var care : cared.values())
        if (care.begun != 0) {
          hanging(care, now);
          if (now - care.begun < MOMENT) under++;
        } else if (care.volume.touch() == Watched.Touch.PROBED) {
          if (now - care.due >= 0) due.add(care);
          else wait = Math.min(wait, Math.max(care.due - now, together));
        }
    }
    for (var care : due) {
      if (under < MOST_AT_ONCE && begin(care, now)) under++;
      if (care.begun == 0) wait = Math.min(wait, Math.max(care.due - now, SOON));
    }
    if (all || news.getAndSet(false)) tell();
    return wait;
  }

  private void look(long now) {
    looked = now;
    boolean count = alarmed || now - counted >= pace.probe().toNanos();
    if (count) counted = now;
    synchronized (this) {
      moves.values().removeIf(underWay -> !underWay); // this table has what they have come to
    }
    var table = mounts.table();
    if (!table.equals(shown)) {
      shown = table;
      byPlace = new HashMap<>();
      for (var entry : table.entries()) byPlace.put(entry.target(), entry); // the last counts
    }
    List<Care> all;
    synchronized (this) {
      all = List.copyOf(cared.values());
    }
    for (var care : all) {
      boolean unknown = !isShown(care.volume, byPlace) && isMoving(care.volume.id());
      var said = unknown ? care.said : said(care, byPlace, count);
      synchronized (this) {
        care.said = said;
        care.looked = !unknown;
        if (!care.heard && care.volume.place().isPresent() && said.isEmpty()) {
          care.heard = errors.isPresent() && errors.get().hear(care.volume.place().get());
        }
      }
    }
  }

  /// What the kernel says by itself.
  ///
  /// @param count whether errors are counted that the kernel would have told of
  private List<Finding> said(Care care, Map<Path, MountEntry> table, boolean count) {
    var volume = care.volume;
    if (volume.place().isEmpty())
      return MountedCheck.findings(care.device.readOnly(), volume.wanted());
    var mount = table.get(volume.place().get());
    if (mount == null || !shows(mount, volume))
      return List.of(
          new Finding(
              Weight.DEAD, "NotMounted", "the volume is not mounted where it has been staged"));
    var found = new ArrayList<>(check.state(mount, volume.wanted(), care.device::readOnly));
    if (count || !care.heard) care.counted = check.counted(mount);
    found.addAll(care.counted);
    return found;
  }

  private synchronized boolean isMoving(String id) {
    return moves.containsKey(id);
  }

  private static boolean isShown(Watched volume, Map<Path, MountEntry> table) {
    if (volume.place().isEmpty()) return true;
    var mount = table.get(volume.place().get());
    return mount != null && shows(mount, volume);
  }

  /// BM-190: by number; btrfs has one of its own.
  private static boolean shows(MountEntry mount, Watched volume) {
    return mount.type().equals("btrfs")
        ? mount.source().equals(volume.device().toString())
        : mount.device().equals(volume.number());
  }

  /// A use that does not come back: who finishes other work meanwhile is slow, not ill.
  private void hanging(Care care, long now) {
    var activity = care.device.activity();
    long done = activity.map(Activity::completed).orElse(0L);
    if (done != care.doneBefore) {
      care.doneBefore = done;
      care.stillSince = now;
    }
    boolean working = activity.map(it -> it.underWay() > 0).orElse(false);
    var patience = working ? pace.silent() : pace.held();
    if (now - care.stillSince < patience.toNanos()) return;
    care.stillSince = now;
    if (!care.hangs) {
      care.hangs = true;
      figures = figures.oneHung();
    }
    news.set(true);
    care.note(
        List.of(
            new Finding(
                Weight.DEAD,
                "NotAnswering",
                "the volume does not answer: reads and writes do not come back")));
  }

  /// @return whether a use is under way now
  private boolean begin(Care care, long now) {
    synchronized (this) {
      if (care.begun != 0 || now - care.due < 0 || closed) return false;
      // what the kernel says is enough; another use would only hang, too
      if (care.said.stream().anyMatch(it -> it.weight() == Weight.DEAD)) return false;
      // a use would be one of the bare folder below, and of another drive
      if (!care.looked || (care.volume.place().isPresent() && isMoving(care.volume.id()))) {
        care.due = now + pace.again().toNanos();
        return false;
      }
      var sleep = care.device.sleep();
      long done = sleep.turns() ? care.device.activity().map(Activity::completed).orElse(0L) : 0;
      var situation = sleep.now(done - care.done);
      care.done = done;
      boolean leftOut = !care.damped.unsure() && care.rest.leavesOut(situation);
      care.rest = care.rest.after(situation);
      if (leftOut) {
        care.due = next(now, care);
        figures = figures.oneLeftOut();
        return false;
      }
      care.begun = now;
      care.stillSince = now;
      care.doneBefore = -1; // who looks first counts
    }
    try {
      uses.execute(() -> use(care));
      return true;
    } catch (RuntimeException | OutOfMemoryError noThread) {
      synchronized (this) {
        care.begun = 0;
        care.due = next(now, care);
      }
      return false;
    }
  }

  private void use(Care care) {
    Probe.Outcome outcome = new Probe.Outcome.NotTried();
    try {
      outcome = Probe.run(care.volume);
    } catch (LinuxException e) {
      log.debug("volume {} is not used", care.volume.id(), e);
    } finally {
      ended(care, outcome);
    }
  }

  private void ended(Care care, Probe.Outcome outcome) {
    long now = System.nanoTime();
    boolean changed;
    synchronized (this) {
      figures = figures.used(outcome, now - care.begun);
      care.begun = 0;
      care.hangs = false;
      var before = care.damped.ill();
      switch (outcome) {
        case Probe.Outcome.Sound _ -> care.note(List.of());
        case Probe.Outcome.Failed(var findings) -> care.note(findings);
        case Probe.Outcome.NotTried _ -> {}
      }
      care.due = care.damped.unsure() ? now + pace.again().toNanos() : next(now, care);
      changed = before != care.damped.ill() || care.uses <= 2;
      if (care.due - wakes < 0) nudges.release();
    }
    if (!changed && !care.damped.unsure()) return;
    news.set(true);
    nudges.release();
  }

  /// Some later, some earlier: volumes that came together do not stay together.
  private long next(long now, Care care) {
    int share = Math.floorMod(care.volume.id().hashCode() * 31 + care.uses, 21);
    return now + pace.probe().toNanos() / 100 * (90 + share);
  }

  private void tell() {
    var next = new HashMap<String, List<Finding>>();
    var sure = new HashSet<String>();
    synchronized (this) {
      for (var care : cared.values()) {
        var all = care.findings();
        if (!all.isEmpty()) next.put(care.volume.id(), all);
        if (knows(care.volume.id())) sure.add(care.volume.id());
      }
    }
    if (next.equals(findings) && sure.equals(known)) return;
    findings = Map.copyOf(next);
    known = Set.copyOf(sure);
    changed.run();
  }

  /// Ends; volumes stay as they are. A use that hangs is left to itself.
  @Override
  public void close() {
    closed = true;
    nudge();
    errors.ifPresent(FileSystemErrors::close);
    uses.shutdown();
    synchronized (this) {
      cared.values().forEach(care -> care.device.close());
    }
  }

  /// How one volume is looked after. Guarded by the watch.
  private static final class Care {
    final Watched volume;
    final OpenDevice device;
    List<Finding> said = List.of();
    List<Finding> counted = List.of(); // used by the watch's own thread
    Damped damped = Damped.NONE;
    List<Finding> failing = List.of();
    Rest rest = Rest.NONE;
    boolean looked;
    boolean heard;
    boolean hangs;
    int uses;
    long due;
    long begun; // 0: no use is under way
    long stillSince;
    long doneBefore; // below 0: nobody has looked since this use began
    long done; // by the device before the last use

    Care(Watched volume, Path sysfs, long due) {
      this.volume = volume;
      this.device = new OpenDevice(sysfs, volume.number());
      this.due = due;
    }

    void note(List<Finding> found) {
      uses++;
      damped = damped.after(!found.isEmpty());
      if (!found.isEmpty()) failing = found;
    }

    /// The same thing found on two ways is told once.
    List<Finding> findings() {
      var all = new ArrayList<Finding>();
      var reasons = new HashSet<String>();
      for (var it : said) if (reasons.add(it.reason())) all.add(it);
      if (damped.ill()) for (var it : failing) if (reasons.add(it.reason())) all.add(it);
      return List.copyOf(all);
    }
  }
}
