package dev.berth.cli.command;

import dev.berth.cli.option.HomeOption;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/// Asks a stack that is up once what users ask, so that the JVM can note which classes that takes
/// (FOOT-02). For the launcher's build, which starts that stack in a home of its own.
@Command(name = "train", hidden = true)
final class Train implements Callable<Integer> {
  @Mixin private HomeOption home = new HomeOption();

  @Parameters(paramLabel = "FILE")
  private String manifest = "";

  @Override
  public Integer call() {
    var folder = home.home().folder().toString();
    Berth.run("run", "--home", folder, manifest);
    Berth.run("get", "pod,pvc,pv,sc,va,node", "--home", folder);
    Berth.run("explain", "pvc/first-volume", "--home", folder);
    Berth.run("logs", "first-volume", "--home", folder);
    return Berth.run("delete", "--home", folder, "-f", manifest);
  }
}
