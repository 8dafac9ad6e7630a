package dev.berth.cli.nodeplugin;

import dev.berth.driver.process.TextEndpoint;
import dev.berth.driver.process.TextEndpoint.Text;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.stream.Collectors;

/// Where upstream shows Go's profiles with `--enable-pprof` (REG-05, PROV-173): of a JVM there are
/// its threads and its command line, and for the rest it has tools of its own.
public final class Profiling {
  private static final String ROOT = "/debug/pprof/";

  private Profiling() {}

  public static void serve(TextEndpoint http) {
    http.serve(ROOT, () -> new Text(200, ROOT + "goroutine\n" + ROOT + "cmdline\n"));
    http.serve(ROOT + "goroutine", () -> new Text(200, threads()));
    http.serve(ROOT + "cmdline", () -> new Text(200, commandLine()));
    for (var absent : new String[] {"profile", "symbol", "trace"})
      http.serve(
          ROOT + absent,
          () ->
              new Text(
                  501, "this is a JVM: write `jcmd PID JFR.start duration=30s filename=FILE`"));
  }

  private static String threads() {
    return Thread.getAllStackTraces().entrySet().stream()
        .map(each ->
            Arrays.stream(each.getValue())
                .map(frame -> "\n    " + frame)
                .collect(
                    Collectors.joining(
                        "", each.getKey().getName() + " " + each.getKey().getState(), "\n")))
        .sorted()
        .collect(Collectors.joining("\n"));
  }

  private static String commandLine() {
    return String.join("\0", ManagementFactory.getRuntimeMXBean().getInputArguments());
  }
}
