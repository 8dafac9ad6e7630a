/// Backups of all objects: one file, taken while the server runs, checked as a whole before
/// anything is made of it. Start at [Backup].
///
/// A backup is text, packed by gzip, one line each: a head (`{"berth":"backup", "format",
/// "revision", "taken", "objects"}`), then for each object what the store knows of it, a tab and
/// the object itself, at last the SHA-256 of all lines before.
///
/// Always: what is restored is read back and compared before it takes the store's place, and gives
/// out no revision that the server of the backup can have given out since (`RestoreTest`).
///
/// The server's own keys are no objects, and so not in it.
@NullMarked
package dev.berth.apiserver.backup;

import org.jspecify.annotations.NullMarked;
