package dev.berth.driver.disk;

import static org.awaitility.Awaitility.await;

import dev.berth.csi.client.CsiException;
import io.grpc.Status;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Calls as a container orchestrator makes them: again and again, unless the answer is final.
final class Repeated {
  private static final Duration DEADLINE = Duration.ofMinutes(2);

  interface Call<T> {
    T make() throws IOException;
  }

  interface Run {
    void run() throws IOException;
  }

  static <T> T call(Call<T> call) {
    return call(call, List.of()).orElseThrow();
  }

  static void run(Run run) {
    Boolean _ =
        call(() -> {
          run.run();
          return true;
        });
  }

  /// Makes a call that may be refused.
  ///
  /// @param refusals that are an answer too
  /// @return empty: it was refused so
  static <T> Optional<T> call(Call<T> call, List<Status.Code> refusals) {
    var answers = new ArrayList<Optional<T>>();
    await()
        .atMost(DEADLINE)
        .pollInterval(Duration.ofMillis(50))
        .until(() -> {
          try {
            answers.add(Optional.of(call.make()));
          } catch (CsiException e) {
            if (refusals.contains(e.code())) answers.add(Optional.empty());
            else if (!e.uncertain()) throw e;
          }
          return !answers.isEmpty();
        });
    return answers.getFirst();
  }

  private Repeated() {}
}
