package dev.berth.conform.fault;

/// A fault and the check that finds it.
///
/// @param check id of the check
/// @param words what is wrong with the driver
record Row(String check, String words, Fault fault) {
  @Override
  public String toString() {
    return check + ": " + words;
  }
}
