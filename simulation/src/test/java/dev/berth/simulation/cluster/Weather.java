package dev.berth.simulation.cluster;

import dev.berth.simulation.api.Network;
import dev.berth.simulation.driver.Flaws;

/// How much goes wrong.
///
/// @param peril probability that a process dies on a given way to the server or the driver, or back
public record Weather(Network network, Flaws flaws, double peril) {
  public static final Weather CALM = new Weather(Network.GOOD, Flaws.NONE, 0);
  public static final Weather STORM = new Weather(Network.BAD, Flaws.MANY, 0.01);
}
