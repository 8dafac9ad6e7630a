/// Gives up a node whose machine is off, so that its pods come back elsewhere (BEY-01). Start at
/// [OutOfService].
///
/// Never: takes volumes off a node that gives a sign of life (`OutOfServiceTest`).
@NullMarked
package dev.berth.cli.outofservice;

import org.jspecify.annotations.NullMarked;
