package dev.berth.csi;

import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// The names of mount options that are in use on Linux, and so say nothing about anybody: those
/// that stand alone, and some that usually have a value.
final class MountNames {
  private static final String EVERY_FILE_SYSTEM =
      """
      async atime auto bind context defaults dev diratime dirsync exec fscontext defcontext
      rootcontext group iversion lazytime loud mand move noatime noauto nodev nodiratime noexec
      nofail nogroup noiversion nolazytime nomand noowner norelatime nostrictatime nosuid nosymfollow
      nouser nousers owner private rbind relatime remount ro rprivate rshared rslave runbindable rw
      shared silent slave strictatime suid symfollow sync unbindable user users
      x-systemd.automount x-systemd.device-timeout x-systemd.growfs x-systemd.makefs
      x-systemd.mount-timeout x-systemd.requires _netdev
      """;

  private static final String EXT =
      """
      acl noacl abort auto_da_alloc noauto_da_alloc barrier nobarrier block_validity
      noblock_validity bsddf minixdf bsdgroups sysvgroups grpid nogrpid bh nobh check nocheck commit
      data dax debug debug_want_extra_isize delalloc nodelalloc dioread_lock dioread_nolock discard
      nodiscard errors grpjquota usrjquota jqfmt i_version init_itable noinit_itable inode_readahead_blks
      inlinecrypt journal_async_commit journal_checksum nojournal_checksum journal_dev journal_ioprio
      journal_path lazytime max_batch_time max_dir_size_kb mb_optimize_scan min_batch_time mblk_io_submit
      nomblk_io_submit noload norecovery nombcache no_mbcache no_prefetch_block_bitmaps
      prefetch_block_bitmaps noquota quota usrquota grpquota prjquota oldalloc orlov resgid resuid sb
      stripe test_dummy_encryption user_xattr nouser_xattr warn_on_error nowarn_on_error
      """;

  private static final String XFS =
      """
      allocsize attr2 noattr2 filestreams gqnoenforce gquota ikeep noikeep inode32 inode64 largeio
      nolargeio logbsize logbufs logdev noalign nouuid pqnoenforce pquota qnoenforce rtdev sunit
      swalloc swidth uqnoenforce uquota wsync
      """;

  private static final String BTRFS =
      """
      autodefrag noautodefrag check_int clear_cache compress compress-force datacow nodatacow
      datasum nodatasum degraded device enospc_debug noenospc_debug fatal_errors flushoncommit
      noflushoncommit fragment inode_cache max_inline metadata_ratio nologreplay nospace_cache
      recovery rescan_uuid_tree rescue skip_balance space_cache ssd nossd ssd_spread nossd_spread
      subvol subvolid thread_pool treelog notreelog usebackuproot user_subvol_rm_allowed
      """;

  private static final String NFS =
      """
      ac noac acdirmax acdirmin actimeo acregmax acregmin addr bg clientaddr cto nocto fg
      forcerdirplus fsc nofsc hard intr nointr local_lock lock nolock lookupcache max_connect
      migration nomigration minorversion mountaddr mounthost mountport mountproto mountvers
      namlen nconnect nfsvers port posix noposix proto rdirplus nordirplus rdma resvport noresvport
      retrans retry rsize sec sharecache nosharecache sloppy soft softerr softreval nosoftreval tcp
      timeo trunkdiscovery notrunkdiscovery udp vers wsize xprtsec
      """;

  private static final String CIFS =
      """
      backupgid backupuid brl nobrl cache cifsacl cruid dir_mode directio domain domainauto
      dynperm noacl echo_interval esize file_mode forcegid noforcegid forcemandatorylock forceuid
      noforceuid gid guest handlecache nohandlecache handletimeout idsfromsid ignorecase nocase
      iocharset linux mapchars nomapchars mapposix nomapposix max_channels max_credits mfsymlinks
      modefromsid multichannel multiuser netbiosname nodelete nodfs noperm perm nosharesock
      persistenthandles nopersistenthandles posixpaths noposixpaths prefixpath resilienthandles
      noresilienthandles rdelay rwpidforward seal serverino noserverino servern setuids nosetuids
      sfu sign signloosely snapshot strictcache strictsync nostrictsync uid unix nounix unicode
      nounicode username wine witness
      """;

  private static final String FUSE =
      """
      allow_other allow_root auto_unmount big_writes blkdev blksize clone_fd default_permissions
      direct_io dmask fmask fsname kernel_cache max_idle_threads max_read max_threads nonempty
      subtype umask volume_name
      """;

  private static final String OTHERS =
      """
      mode size nr_blocks nr_inodes huge mpol noswap fat codepage utf8 shortname showexec quiet flush
      lowerdir upperdir workdir index redirect_dir metacopy volatile xino
      """;

  private static final Set<String> ALL =
      Stream.of(EVERY_FILE_SYSTEM, EXT, XFS, BTRFS, NFS, CIFS, FUSE, OTHERS)
          .flatMap(names -> Stream.of(names.strip().split("\\s+")))
          .collect(Collectors.toUnmodifiableSet());

  static boolean contains(String name) {
    return ALL.contains(name);
  }

  private MountNames() {}
}
