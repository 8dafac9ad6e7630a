package dev.berth.driver.baremetal;

import dev.berth.driver.DriverServer.Service;
import dev.berth.driver.baremetal.manager.base.Consent;
import dev.berth.driver.process.Arguments;
import dev.berth.driver.process.DriverProcess;
import dev.berth.driver.spi.Driver;
import dev.berth.kube.http.HttpApi;
import dev.berth.linux.check.Pace;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/// `berth driver baremetal`: the driver alone in a process, until it is told to end.
public final class BareMetalService {
  /// For `--help`.
  public static final String HELP =
      """
      Usage: berth driver baremetal [controller|node] --endpoint unix:///PATH ...

      Serves the CSI driver csi-baremetal on a Unix socket until SIGTERM: its controller, the drives of
      one node, or both in one process. What they know of drives and volumes are objects of the
      cluster, of kinds that are installed if they are missing.

        --kubeconfig FILE             the cluster; KUBECONFIG or the pod's own by default
        --node NAME                   name of this Node; not for a controller
        --drives KIND                 where its drives come from: base (the machine's disks, the default
                                      without --loopback), loopback, directory or zram
        --disks SERIALS               for base: volumes may have the disks with these serial numbers, such
                                      as ZR5A1234,S5Y1NG0; what one holds is not removed for that
        --all-blank-disks             for base: volumes may have each disk that nothing is on, also one
                                      that is plugged in later. Without either a disk is nobody's
                                      until a person says so: berth drives discover, berth drives init
        --include-disks RULE          for base: likewise each blank disk that is as RULE says, such as
                                      type=SSD,size>=1Ti,pid=Samsung* (also serial, vid, size<=);
                                      may be given several times
        --exclude-disks RULE          for base: none that is as RULE says, whatever else is given
        --loopback FILE               for loopback: drives that are files, told by FILE; see
                                      docs/bare-metal.md
        --images DIR                  folder for these files; beside FILE by default
        --directory DIR               for directory: each file NAME.img there is a drive NAME
        --zram DEVICES                for zram: such as zram1,zram2
        --pools DIR                   below it drives are mounted that several volumes share; a folder
                                      of the kubelet's by default
      """
          + DriverProcess.HELP
          + """

          Example:
            berth driver baremetal --endpoint unix:///run/baremetal.sock --node $(hostname) \\
              --loopback drives.yaml --kubeconfig /etc/kubeconfig
          """;

  private static final String DISKS = "--disks";
  private static final String ALL_BLANK = "--all-blank-disks";

  private static final String INCLUDE = "--include-disks";
  private static final String EXCLUDE = "--exclude-disks";

  private static final Set<String> ARGUMENTS =
      Set.of(
          "--kubeconfig",
          "--node",
          "--drives",
          DISKS,
          ALL_BLANK,
          INCLUDE,
          EXCLUDE,
          "--loopback",
          "--images",
          "--directory",
          "--zram",
          "--pools");

  private BareMetalService() {}

  /// Serves until the process is told to end.
  ///
  /// @return exit code: 0 after an orderly end, 1 if it could not start, 2 for wrong arguments
  public static int run(List<String> arguments, PrintStream out, PrintStream err) {
    if (arguments.contains("--help")) {
      out.print(HELP);
      return 0;
    }
    var words = new ArrayList<>(arguments);
    if (!words.isEmpty()
        && (words.getFirst().equals("controller") || words.getFirst().equals("node")))
      words.set(0, "--services=" + words.getFirst());
    words.replaceAll(word -> word.equals(ALL_BLANK) ? ALL_BLANK + "=true" : word);
    return DriverProcess.run(
        "berth driver baremetal", words, ARGUMENTS, BareMetalService::open, err);
  }

  private static Driver open(Arguments arguments) throws IOException {
    var options = options(arguments);
    var api =
        arguments
            .find("--kubeconfig")
            .map(file -> HttpApi.of(Path.of(file), Optional.empty()))
            .orElseGet(HttpApi::ofSurroundings);
    try {
      return BareMetalDriver.open(options, api);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("it was told to end before it had begun", e);
    }
  }

  private static BareMetalOptions options(Arguments arguments) {
    var services = arguments.services();
    var source = source(arguments);
    var pools =
        arguments
            .find("--pools")
            .map(Path::of)
            .orElse(
                source instanceof DriveSource.Loopback(_, var images)
                    ? images.resolve("pools")
                    : BareMetalOptions.POOLS);
    return new BareMetalOptions(
        services.contains(Service.NODE) ? arguments.one("--node") : "",
        source,
        pools.toAbsolutePath(),
        services,
        Pace.USUAL);
  }

  private static Consent consent(Arguments arguments) {
    var serials = new TreeSet<String>();
    for (var list : arguments.all(DISKS))
      for (var serial : list.split(",", -1)) {
        if (serial.isBlank())
          throw new IllegalArgumentException(DISKS + " needs serial numbers, with commas between");
        serials.add(serial.strip());
      }
    var all =
        arguments.find(
            ALL_BLANK,
            "true or false",
            word ->
                switch (word) {
                  case "true" -> true;
                  case "false" -> false;
                  default -> throw new IllegalArgumentException(word);
                });
    return Consent.of(all.orElse(false), serials, arguments.all(INCLUDE), arguments.all(EXCLUDE));
  }

  private static DriveSource source(Arguments arguments) {
    var loopback = arguments.find("--loopback").map(file -> Path.of(file).toAbsolutePath());
    var kind = arguments.find("--drives").orElse(loopback.isPresent() ? "loopback" : "base");
    var consent = consent(arguments);
    if (!kind.equals("base") && !consent.equals(Consent.NONE))
      throw new IllegalArgumentException(
          "%s, %s, %s and %s are for the machine's own disks, not for --drives %s"
              .formatted(DISKS, ALL_BLANK, INCLUDE, EXCLUDE, kind));
    return switch (kind) {
      case "base" -> new DriveSource.Machine(consent);
      case "loopback" -> {
        var file = Path.of(arguments.one("--loopback")).toAbsolutePath();
        var images = arguments.find("--images").map(Path::of);
        yield new DriveSource.Loopback(
            file, images.orElse(file.resolveSibling("images")).toAbsolutePath());
      }
      case "directory" ->
          new DriveSource.Folder(Path.of(arguments.one("--directory")).toAbsolutePath());
      case "zram" -> new DriveSource.Zram(Set.of(arguments.one("--zram").split(",")));
      default ->
          throw new IllegalArgumentException(
              "--drives %s: base, loopback, directory or zram".formatted(kind));
    };
  }
}
