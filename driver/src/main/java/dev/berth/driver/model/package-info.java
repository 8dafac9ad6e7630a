/// What drivers speak of: volumes, how they are used, where they are.
///
/// Always: a value is valid from birth, and what CSI says with a zero or an empty text has a type
/// or a sentence here (`SizeRangeTest`, `UsageSupportTest`). [Wire] turns the generated messages
/// into these and back; nothing else in the SDK reads a message's fields for an author.
@NullMarked
package dev.berth.driver.model;

import org.jspecify.annotations.NullMarked;
