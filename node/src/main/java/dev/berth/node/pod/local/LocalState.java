package dev.berth.node.pod.local;

import dev.berth.kube.fact.Source;
import dev.berth.kube.fact.Told;
import dev.berth.node.runtime.ContainerId;
import dev.berth.node.runtime.ContainerRuntime;
import dev.berth.node.volume.state.Actual;
import java.util.Set;
import java.util.function.UnaryOperator;

/// Holds the present [Local], which the runtime tells it too, and tells of each change. Safe for
/// any number of threads.
public final class LocalState {
  private final ContainerRuntime runtime;
  private final Told<Local> told = new Told<>(Local.TOPIC);

  /// Looks at what runs, before anything is decided.
  ///
  /// @param directories uids of the pods that have directories here
  public LocalState(ContainerRuntime runtime, Set<String> directories) {
    this.runtime = runtime;
    // Before the list: an end between the two is told, and told twice does no harm.
    runtime.listen(this::learn);
    for (var container : runtime.list()) learn(container.id());
    for (var uid : directories) change(here -> here.withDirectory(uid));
  }

  public Local now() {
    return told.now();
  }

  public Source<Local> source() {
    return told;
  }

  public void change(UnaryOperator<Local> to) {
    told.change(to);
  }

  /// Whoever has a volume published has a directory, even if none of its containers ever starts.
  public void noteDirectories(Source<Actual> mounted) {
    mounted.follow(news -> {
      for (var state : news.after().volumes().values())
        for (var uid : state.publications().keySet())
          if (!news.before().volume(state.name()).publications().containsKey(uid))
            change(here -> here.withDirectory(uid));
    });
  }

  private void learn(ContainerId id) {
    var container = runtime.find(id);
    if (container.isEmpty()) return;
    var run = Runs.read(runtime, container.get());
    change(here -> here.with(run));
  }
}
