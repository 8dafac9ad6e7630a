package dev.berth.explain;

import dev.berth.explain.answer.Explanation;
import dev.berth.explain.answer.Link;
import java.io.IOException;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;

/// The lines that began the waits that explain tells of in some world.
public final class ToldWaits implements Callable<Set<String>> {
  @Override
  public Set<String> call() throws IOException {
    var told = new TreeSet<String>();
    for (var world : World.all().toList()) {
      var objects = world.objects();
      for (var question : world.questions()) told.addAll(origins(World.explain(question, objects)));
    }
    for (var row : StatesTest.rows().toList()) told.addAll(origins(row.told()));
    return told;
  }

  private static Set<String> origins(Explanation explanation) {
    var told = new TreeSet<String>();
    for (var link : explanation.chain())
      if (link instanceof Link.Waits(_, _, var wait))
        told.add(
            WaitOrigins.of(wait)
                .orElseThrow(() -> new AssertionError("who began this wait? " + wait)));
    return told;
  }
}
