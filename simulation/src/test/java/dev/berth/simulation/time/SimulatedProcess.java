package dev.berth.simulation.time;

import dev.berth.kube.time.Time;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.random.RandomGenerator;

/// One life of one operating system process: its threads and timers, which end with it.
public final class SimulatedProcess implements Time {
  private final VirtualTime time;
  private final String name;
  private final Set<Pause> pauses = new LinkedHashSet<>();
  private final List<Runnable> atDeath = new ArrayList<>();
  private double peril;
  private boolean dead;

  public SimulatedProcess(VirtualTime time, String name) {
    this.time = time;
    this.name = name;
  }

  public String name() {
    return name;
  }

  public boolean isDead() {
    return dead;
  }

  @Override
  public Instant now() {
    return time.now();
  }

  @Override
  public Duration elapsed() {
    return time.elapsed();
  }

  @Override
  public RandomGenerator random() {
    return time.random();
  }

  @Override
  public void start(Runnable task) {
    after(Duration.ZERO, task);
  }

  @Override
  public Timer after(Duration delay, Runnable task) {
    if (dead) return () -> {};
    return time.after(delay, () -> run(task))::run;
  }

  private void run(Runnable task) {
    if (!dead) time.start(() -> guarded(task));
  }

  private void guarded(Runnable task) {
    try {
      task.run();
    } catch (Killed expected) {
      // it died with its process
    } catch (RuntimeException | Error accident) {
      time.fail(new IllegalStateException("in process " + name, accident));
    }
  }

  private static final class Pause {
    private final Thread thread = Thread.currentThread();
    private boolean over;

    void end() {
      over = true;
      LockSupport.unpark(thread);
    }
  }

  /// Lets time pass for the thread of this process that calls it; others go on meanwhile.
  ///
  /// @throws Killed if the process is dead, or dies meanwhile
  public void pause(Duration duration) {
    if (dead) throw new Killed();
    if (time.chance(peril)) time.after(Duration.ZERO, this::kill);
    var pause = new Pause();
    pauses.add(pause);
    time.after(duration, pause::end);
    while (!pause.over) LockSupport.park(pause);
    pauses.remove(pause);
    if (dead) throw new Killed();
  }

  /// From now on it dies at a pause with this probability.
  public void endanger(double probability) {
    peril = probability;
  }

  /// Does `last` when the process dies.
  public void atDeath(Runnable last) {
    atDeath.add(last);
  }

  /// Kills it where it stands: between any two of its steps, or within one that waits for others.
  /// Its threads unwind without reaching the world any more, whose every door is a [#pause].
  public void kill() {
    if (dead) return;
    dead = true;
    for (var pause : List.copyOf(pauses)) pause.end();
    atDeath.forEach(Runnable::run);
  }

  @Override
  public String toString() {
    return name;
  }
}
